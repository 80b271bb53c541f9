import * as z from 'zod/mini'
import { routeSetSchema } from '../route-set.ts'
import { setStateSchema } from './source.ts'

/** The vendor's key as an admin sets it: written, and never read back. */
export const newKeySchema = z.strictObject({
  key: z
    .string()
    .check(
      z.trim(),
      z.regex(/^[\x21-\x7e]{8,1024}$/, 'Use the key as the vendor gave it: 8 characters or more, no spaces.'),
    ),
})
export type NewKey = z.infer<typeof newKeySchema>

/** The key that one route set is called with, without the key. */
export const keySchema = z.object({
  set: routeSetSchema,
  /** Origin of the key; null without a key. A key from Settings takes precedence over the environment. */
  from: z.nullable(z.enum(['settings', 'environment', 'embedded'])),
  /** The earlier set has no key of its own and is called with that of v1. */
  isShared: z.boolean(),
  /** Null for a key so short that they would give it away. */
  lastFour: z.nullable(z.string()),
  /** Time of the change, and email of the admin who made it, for a key from Settings. */
  setAt: z.nullable(z.iso.datetime()),
  setBy: z.nullable(z.string()),
  /** One is stored that cannot be opened: SECRET is another one than when it was set. */
  isUnreadable: z.boolean(),
  status: z.enum(['missing', 'unknown', 'valid', 'refused']),
  /** Since when the vendor refuses the key, its own words (third-party text), and when one call tries it again. */
  refusal: z.nullable(
    z.object({ at: z.iso.datetime(), words: z.nullable(z.string()), retryAt: z.iso.datetime() }),
  ),
  /** Discovered permissions of the key on its route set. */
  state: setStateSchema,
})
export type Key = z.infer<typeof keySchema>

/** Answer of `GET /bff/keys` (admins), and of each change. Costs no call. */
export const keysSchema = z.object({
  kind: z.enum(['embedded', 'vendor']),
  /** The only address that the keys are sent to. */
  origin: z.string(),
  keys: z.object({ v1: keySchema, earlier: keySchema }),
  trialExpiresAt: z.nullable(z.iso.datetime()),
})
export type Keys = z.infer<typeof keysSchema>
