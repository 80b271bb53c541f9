import * as z from 'zod/mini'

/** The IANA name of a time zone that this machine knows: others may know newer ones. */
export const timeZoneNameSchema = z.string().check(z.refine(isTimeZone, 'There is no such time zone.'))

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
