import { readJson, type Schema } from './read-json.ts'
import { type RequestOptions, request } from './request.ts'

type SendOptions = RequestOptions & { method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; body?: unknown }

/** Sends JSON to `/bff/<path>` and parses the answer; an empty answer is undefined to the schema. */
export async function sendJson<T>(
  path: string,
  schema: Schema<T>,
  { method = 'POST', ...options }: SendOptions,
): Promise<T> {
  return readJson(await request(method, path, options), schema)
}
