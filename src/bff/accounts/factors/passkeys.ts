import type { FactorProof, PasskeyRegistration } from '#contract/bff/factor.ts'
import type { StoredPasskey } from './factor-queries.ts'

/** Whom passkeys are for: the host that people sign in at. */
export type RelyingParty = { id: string; origin: string }
export type PasskeyAnswer = Extract<FactorProof, { passkey: unknown }>['passkey']

const NAME = 'Lantern'
/** EdDSA, ES256 and RS256: what the makers of authenticators agree on. */
const ALGORITHMS = [-8, -7, -257]

// The library is loaded with the first passkey: it reads certificates of all makers, though Lantern requests none.
const library = () => import('@simplewebauthn/server')

/** Returns the options by which a browser makes a passkey. The account's existing ones are excluded. */
export async function passkeyCreation(
  party: RelyingParty,
  { id, email, name }: { id: string; email: string; name: string },
  known: readonly StoredPasskey[],
) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: NAME,
    rpID: party.id,
    userID: new TextEncoder().encode(id),
    userName: email,
    userDisplayName: name,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
}

/** The new passkey; null where it was not made for this challenge, here. */
export async function readNewPasskey(
  party: RelyingParty,
  challenge: string,
  passkey: PasskeyRegistration['passkey'],
): Promise<StoredPasskey | null> {
  const { verifyRegistrationResponse } = await library()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: passkey,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    supportedAlgorithmIDs: ALGORITHMS,
    // The password has come before it.
    requireUserVerification: false,
  }).catch(() => ({ verified: false as const, registrationInfo: undefined }))
  if (!verified) return null
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  return { id, publicKey, counter, transports }
}

/** Returns the options by which a browser requests one of the account's passkeys. */
export async function passkeyRequest(party: RelyingParty, known: readonly StoredPasskey[]) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: party.id,
    allowCredentials: known.map(({ id, transports }) => ({ id, transports })),
    userVerification: 'preferred',
  })
}

/** Returns the passkey's use counter; null if it did not sign this challenge, here. */
export async function verifyPasskey(
  party: RelyingParty,
  challenge: string,
  passkey: PasskeyAnswer,
  credential: StoredPasskey,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: passkey,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential,
    requireUserVerification: false,
  }).catch(() => ({ verified: false as const, authenticationInfo: undefined }))
  return verified ? authenticationInfo.newCounter : null
}
