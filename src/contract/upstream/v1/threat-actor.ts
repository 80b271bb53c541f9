import * as z from 'zod/mini'
import { v1LimitSchema } from './threat-list.ts'

export const v1ActorsQuerySchema = z.strictObject({ limit: v1LimitSchema })

/** Field names are ours: the reference only says what an entry carries. */
export const v1ActorSchema = z.strictObject({
  name: z.string(),
  /** Records that name the actor. */
  mentions: z.int(),
  /** Empty where none of its records has a date. */
  latest_observed_at: z.union([z.iso.datetime({ precision: 3 }), z.literal('')]),
  categories: z.array(z.string()),
})

/** Answer of `GET /api/v1/threat-actors`, most mentioned first. The route has no cursor, so `meta` has none. */
export const v1ActorsSchema = z.strictObject({
  data: z.array(v1ActorSchema),
  meta: z.strictObject({ total: z.int(), returned: z.int() }),
})
export type V1Actors = z.infer<typeof v1ActorsSchema>
