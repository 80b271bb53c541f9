import * as z from 'zod/mini'
import { timeZoneNameSchema } from '../time-zone.ts'

/** The query's `timeZone`: IANA name of the zone that its days, or the counted days, are of. */
export const timeZoneSchema = z._default(timeZoneNameSchema, 'UTC')
