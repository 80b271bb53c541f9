import type * as z from 'zod/mini'
import type { BffPath } from '#contract/bff/endpoints.ts'
import { type RequestOptions, request } from './request.ts'

/** The lines of an `application/x-ndjson` answer of the BFF's, as they come. A line that does not fit is an error. */
export async function* openLines<Schema extends z.ZodMiniType>(
  path: BffPath<'GET'>,
  schema: Schema,
  options: RequestOptions,
): AsyncGenerator<z.output<Schema>> {
  const { body } = await request('GET', `/bff/${path}`, { ...options, streams: true })
  let rest = ''
  for await (const text of readStream(body, options.signal)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield schema.parse(JSON.parse(line))
  }
}

/** A body as text, part by part, until its end or the signal. */
async function* readStream(
  body: ReadableStream<Uint8Array> | null,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const reader = body?.getReader()
  const cancel = () => reader?.cancel().catch(() => {})
  signal?.addEventListener('abort', cancel, { once: true })
  const decoder = new TextDecoder()
  try {
    // By hand: not every browser of ours can iterate over a stream.
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      yield decoder.decode(part.value, { stream: true })
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
    await cancel()
  }
}

type OpenEventsOptions = {
  query?: Record<string, number>
  signal: AbortSignal
  /** From now on nothing is missed. */
  onOpen(): void
}

/** Events of a `text/event-stream` of the BFF's, as they come; those that do not fit the schema are left out. */
export async function* openEvents<Schema extends z.ZodMiniType>(
  path: BffPath<'GET'>,
  schema: Schema,
  { query = {}, signal, onOpen }: OpenEventsOptions,
): AsyncGenerator<z.output<Schema>> {
  const { body } = await request('GET', `/bff/${path}`, {
    query,
    signal,
    background: true,
    streams: true,
  })
  onOpen()
  let rest = ''
  for await (const text of readStream(body, signal)) {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = readEvent(block, schema)
      if (event !== null) yield event
    }
  }
}

/** Null for heartbeats and for what a newer server may send. */
function readEvent<Schema extends z.ZodMiniType>(block: string, schema: Schema): z.output<Schema> | null {
  if (!block.startsWith('data: ')) return null
  try {
    return schema.parse(JSON.parse(block.slice('data: '.length)))
  } catch {
    return null
  }
}
