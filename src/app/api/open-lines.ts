import type * as z from 'zod/mini'
import type { BffPath } from '#contract/bff/endpoints.ts'
import { readStream } from './read-stream.ts'
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
