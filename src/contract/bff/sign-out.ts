import * as z from 'zod/mini'

/** Answer of `POST /bff/sign-out` where this browser must go on to be signed out at the provider too. */
export const signedOutSchema = z.object({ leaveAt: z.string() })
export type SignedOut = z.infer<typeof signedOutSchema>
