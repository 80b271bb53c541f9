import * as z from 'zod/mini'

/** The IANA name of a time zone that this machine knows: others may know newer ones. */
export const timeZoneNameSchema = z.string().check(z.refine(isTimeZone, 'There is no such time zone.'))

/** Those that were tried: a calendar takes its time to make, and nearly every request names a zone. */
const known = new Set<string>()
const KNOWN_MAX_COUNT = 1_000

function isTimeZone(name: string): boolean {
  if (known.has(name)) return true
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    if (known.size < KNOWN_MAX_COUNT) known.add(name)
    return true
  } catch {
    return false
  }
}

/** The query's `timeZone`: IANA name of the zone that its days, or the counted days, are of. */
export const timeZoneSchema = z._default(timeZoneNameSchema, 'UTC')
