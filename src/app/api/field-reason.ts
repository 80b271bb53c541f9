import { ApiError } from './api-error.ts'

/** Returns the BFF's reason for refusing one field, or undefined if the error is about something else. */
export function fieldReason(error: unknown, name: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  return error.problem.fields?.find((field) => field.name === name)?.reason
}
