import type { Access } from '#service/access.ts'
import { invalidParameter } from '#service/errors/service-error.ts'

/** Schemas know the largest page of a route; a trial key's is smaller still. */
export function requireLimit({ maxLimit }: Access, limit: number): void {
  if (limit > maxLimit)
    throw invalidParameter('limit', `must be a whole number from 1 to ${maxLimit} with a trial key`)
}
