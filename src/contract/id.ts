import * as z from 'zod/mini'

/** The id of an object that Lantern made. */
export const idSchema = z.uuid()

/** The number of a row that Lantern wrote, as PostgreSQL's bigint holds it. */
export const rowIdSchema = z.string().check(z.regex(/^\d{1,18}$/))

export const VENDOR_ID_MAX_LENGTH = 512

/** The vendor's own id, whatever text that is: untrusted. No database holds NUL or half a character. */
export const vendorIdSchema = z.string().check(
  z.minLength(1),
  z.maxLength(VENDOR_ID_MAX_LENGTH),
  z.refine((id) => id.isWellFormed() && !id.includes('\0'), 'must not contain NUL or half a character'),
)

/** The id of a key of the service. */
export const serviceKeyIdSchema = z.string().check(z.regex(/^[\w-]{1,64}$/))

/** Credential id of a passkey in base64url. */
export const credentialIdSchema = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,16384}$/))
