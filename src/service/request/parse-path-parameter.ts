import { invalidParameter } from '#service/errors/service-error.ts'

/** A path parameter as Hono gives it, which leaves what it cannot decode as it is. */
export function parsePathParameter(name: string, value: string | undefined): string {
  if (value === undefined || value.includes('\0') || !value.isWellFormed()) {
    throw invalidParameter(name, 'must be percent-encoded UTF-8 without NUL')
  }
  return value
}
