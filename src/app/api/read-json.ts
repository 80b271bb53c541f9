import type * as z from 'zod/mini'
import { ApiError } from './api-error.ts'
import { doubtConnection } from './connection.ts'
import { noAnswer } from './request.ts'

export type Schema<T> = z.ZodMiniType<T>

/** A body that does not fit its schema is an ApiError: the page and its server are of different versions. */
export async function readJson<T>(response: Response, schema: Schema<T>): Promise<T> {
  const text = await response.text().catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    doubtConnection()
    throw new ApiError(noAnswer(), { cause: error })
  })
  try {
    return schema.parse(text === '' ? undefined : JSON.parse(text))
  } catch (error) {
    throw new ApiError(
      {
        type: 'about:blank',
        title: 'Lantern’s answer could not be read',
        status: response.status,
        detail: 'This page may be older than the server: reload it. If that does not help, tell an admin.',
        code: 'internal',
      },
      { cause: error },
    )
  }
}
