import * as z from 'zod/mini'
import { earlierPlanNameSchema, keyLabelSchema, v1PlanNameSchema } from '../service-key-parts.ts'

/** Body of `POST /bff/service-keys`. */
export const newServiceKeySchema = z.strictObject({
  name: keyLabelSchema,
  /** The team: keys of one team share its alert profiles. */
  account: keyLabelSchema,
  earlierPlan: earlierPlanNameSchema,
  v1Plan: v1PlanNameSchema,
})
export type NewServiceKey = z.infer<typeof newServiceKeySchema>

/** A key of the embedded service. */
export const serviceKeySchema = z.object({
  id: z.string(),
  account: z.string(),
  name: z.string(),
  earlierPlan: earlierPlanNameSchema,
  v1Plan: v1PlanNameSchema,
  status: z.enum(['active', 'ending', 'ended', 'expired']),
  /** When a trial or an overlap ends, or ended. */
  endsAt: z.nullable(z.iso.datetime()),
  requestsToday: z.int(),
  /** The dashboard itself uses it: it cannot be revoked here. */
  isOwn: z.boolean(),
})
export type ServiceKey = z.infer<typeof serviceKeySchema>

/** Answer of `GET /bff/service-keys` (admins); 404 where a vendor is connected. */
export const serviceKeysSchema = z.object({ keys: z.array(serviceKeySchema) })
export type ServiceKeys = z.infer<typeof serviceKeysSchema>

/** Answer of `POST /bff/service-keys`: the token is shown here and never again. */
export const createdServiceKeySchema = z.object({ id: z.string(), token: z.string() })
export type CreatedServiceKey = z.infer<typeof createdServiceKeySchema>
