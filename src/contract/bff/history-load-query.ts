import * as z from 'zod/mini'
import { momentSchema } from '../moment.ts'
import { timeZoneSchema } from '../time-zone.ts'
import { periodNameSchema } from './period.ts'

/** Query of `GET /bff/history-loads`: a period in a reader's zone, or bounds, of which a missing one is open. */
export const historyLoadQuerySchema = z.object({
  period: z.optional(periodNameSchema),
  timeZone: timeZoneSchema,
  from: z.optional(momentSchema),
  to: z.optional(momentSchema),
})
export type HistoryLoadQuery = z.infer<typeof historyLoadQuerySchema>
