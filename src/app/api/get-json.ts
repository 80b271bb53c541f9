import { readJson, type Schema } from './read-json.ts'
import { type RequestOptions, request } from './request.ts'

/** Asks `/bff/<path>` and parses the answer. */
export async function getJson<T>(path: string, schema: Schema<T>, options?: RequestOptions): Promise<T> {
  return readJson(await request('GET', path, options), schema)
}
