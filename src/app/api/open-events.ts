import type * as z from 'zod/mini'
import { request } from './request.ts'

/** Events of a `text/event-stream` of the BFF's, as they come; those that do not fit the schema are left out. */
export async function* openEvents<Schema extends z.ZodMiniType>(
  path: string,
  schema: Schema,
  { signal }: { signal: AbortSignal },
): AsyncGenerator<z.output<Schema>> {
  const { body } = await request('GET', path, { signal, background: true, streams: true })
  const reader = body?.getReader()
  signal.addEventListener('abort', () => reader?.cancel().catch(() => {}), { once: true })
  const decoder = new TextDecoder()
  let rest = ''
  // By hand: not every browser of ours can iterate over a stream.
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    const blocks = (rest + decoder.decode(part.value, { stream: true })).split('\n\n')
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
