import type { BffMethod, BffPath } from '#contract/bff/endpoints.ts'
import { readJson, type Schema } from './read-json.ts'
import { type RequestOptions, request } from './request.ts'

type SendMethod = Exclude<BffMethod, 'GET'>
type SendOptions<Method> = RequestOptions & { method?: Method; body?: unknown }

/** Sends JSON to `/bff/<path>` and parses the answer; an empty answer is undefined to the schema. */
export async function sendJson<T, Method extends SendMethod = 'POST'>(
  path: BffPath<Method>,
  schema: Schema<T>,
  { method, ...options }: SendOptions<Method>,
): Promise<T> {
  return readJson(await request(method ?? 'POST', `/bff/${path}`, options), schema)
}
