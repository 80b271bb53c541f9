import * as z from 'zod/mini'
import { credentialIdSchema } from '../id.ts'
import { credentialsSchema } from './session.ts'

const base64url = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,16384}$/))
const credentialShape = { id: credentialIdSchema, rawId: credentialIdSchema, type: z.literal('public-key') }

/** JSON of `navigator.credentials.create()`. Members that nobody reads are omitted. */
const newPasskeySchema = z.object({
  ...credentialShape,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(8))),
  }),
  clientExtensionResults: z.object({}),
})

/** JSON of `navigator.credentials.get()`. */
const passkeyAnswerSchema = z.object({
  ...credentialShape,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: z.optional(base64url),
  }),
  clientExtensionResults: z.object({}),
})

/** Six digits, as people copy them: with or without spaces. */
export const totpCodeSchema = z.pipe(
  z.pipe(
    z.string().check(z.maxLength(20)),
    z.transform((text) => text.replace(/\s/g, '')),
  ),
  z.string().check(z.regex(/^\d{6}$/, 'Enter the six digits that your app shows.')),
)

/** How many a person is given at once. */
export const RECOVERY_CODE_COUNT = 10

const recoveryCodeSchema = z.string().check(z.minLength(1), z.maxLength(64))

const FACTOR_PROOFS = [
  z.strictObject({ code: totpCodeSchema }),
  z.strictObject({ recoveryCode: recoveryCodeSchema }),
  z.strictObject({ passkey: passkeyAnswerSchema }),
] as const

/** `POST /bff/sign-in/second-step`: one of what the account has. */
export const factorProofSchema = z.union(FACTOR_PROOFS)
export type FactorProof = z.infer<typeof factorProofSchema>

/** `POST /bff/proof`: its person is there, now. A password counts only where the account has no second factor. */
export const freshProofSchema = z.union([
  z.strictObject({ password: credentialsSchema.shape.password }),
  ...FACTOR_PROOFS,
])
export type FreshProof = z.infer<typeof freshProofSchema>

/** One line of visible characters. */
const passkeyNameSchema = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Give it a name, such as the device that holds it.'),
    z.maxLength(60),
    z.regex(/^\P{C}*$/u),
  )
export const passkeyChangeSchema = z.strictObject({ name: passkeyNameSchema })
export const passkeyRegistrationSchema = z.strictObject({
  name: passkeyNameSchema,
  passkey: newPasskeySchema,
})
export type PasskeyRegistration = z.infer<typeof passkeyRegistrationSchema>

export const totpConfirmationSchema = z.strictObject({ code: totpCodeSchema })

/** Answer of `GET /bff/factors`: what proves the reader beside the password. */
export const factorsSchema = z.object({
  /** Without a second factor, a password proves that the reader is there. */
  hasPassword: z.boolean(),
  totp: z.nullable(z.object({ createdAt: z.iso.datetime() })),
  passkeys: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      createdAt: z.iso.datetime(),
      usedAt: z.nullable(z.iso.datetime()),
    }),
  ),
  /** Recovery codes that have not been used. */
  recoveryCodes: z.int(),
  /** The reader's role may not be without. */
  isRequired: z.boolean(),
})
export type Factors = z.infer<typeof factorsSchema>

/** Answer of what changes them. The codes are shown once: with the first factor, and when they are made anew. */
export const factorsChangedSchema = z.object({
  factors: factorsSchema,
  recoveryCodes: z.nullable(z.array(z.string())),
})
export type FactorsChanged = z.infer<typeof factorsChangedSchema>

/** Answer of `POST /bff/factors/totp`: what an authenticator app is given. It counts once a code of it was sent. */
export const totpSetupSchema = z.object({ secret: z.string(), uri: z.string() })
export type TotpSetup = z.infer<typeof totpSetupSchema>
