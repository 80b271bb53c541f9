import { ApiError } from './api-error.ts'

/** What the BFF finds wrong with one field; undefined where the error is of something else. */
export function fieldReason(error: unknown, name: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  return error.problem.fields?.find((field) => field.name === name)?.reason
}
