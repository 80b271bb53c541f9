import type * as z from 'zod/mini'
import { ApiError } from './api-error.ts'

export type Schema<T> = z.ZodMiniType<T>

/** A body that does not fit its schema is an ApiError: the page and its server are of different versions, or it broke off. */
export async function readJson<T>(response: Response, schema: Schema<T>): Promise<T> {
  try {
    const text = await response.text()
    return schema.parse(text === '' ? undefined : JSON.parse(text))
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(
      {
        type: 'about:blank',
        title: 'Lantern’s answer could not be read',
        status: response.status,
        detail:
          'This page may be older than the server: reload it. If that does not help, tell an administrator.',
        code: 'internal',
      },
      { cause: error },
    )
  }
}
