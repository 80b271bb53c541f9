import type * as z from 'zod/mini'
import type { BffPath } from '#contract/bff/endpoints.ts'
import { readStream } from './read-stream.ts'
import { request } from './request.ts'

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
