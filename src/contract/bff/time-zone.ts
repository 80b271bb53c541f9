import * as z from 'zod/mini'

/** The query's `timeZone`: IANA name of the zone that its days, or the counted days, are of. */
export const timeZoneSchema = z._default(z.string().check(z.maxLength(64)), 'UTC')
