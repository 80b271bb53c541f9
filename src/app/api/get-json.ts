import type { BffPath } from '#contract/bff/endpoints.ts'
import { type RequestOptions, readJson, request, type Schema } from './request.ts'

/** Asks `/bff/<path>` and parses the answer. */
export async function getJson<T>(
  path: BffPath<'GET'>,
  schema: Schema<T>,
  options?: RequestOptions,
): Promise<T> {
  return readJson(await request('GET', `/bff/${path}`, options), schema)
}
