import type { FactorDependencies } from '#bff/accounts/factors/check-factor.ts'
import { conflict, type ProblemError, signInFailed } from '#bff/http/problem-error.ts'
import type { ReaderSession } from '#bff/http/route.ts'
import { hashToken } from '#bff/http/token.ts'
import type { Credentials } from '#contract/bff/session.ts'
import type { PasswordByLink } from '#contract/bff/user.ts'
import type { Database } from '#database/database.ts'
import {
  type Account,
  type Candidate,
  findCandidate,
  findPasswordLink,
  findSignInLink,
  forgetPlaces,
  isKnownAddress,
  spendPasswordLink,
  updatePasswordHash,
} from './account-queries.ts'
import {
  type Admission,
  addressPlace,
  admit,
  auditSignIn,
  devicePlace,
  refuseSignIn,
  type Visitor,
} from './admission.ts'
import {
  type AttemptBucket,
  accountBucket,
  addressBucket,
  forgiveAttempt,
  knownAddressBucket,
  knownDeviceBucket,
  reserveAttempt,
} from './attempt-limit.ts'
import { createDecoyHash, isWeakHash, type Passwords } from './password-hash.ts'
import { refuseWeakPassword } from './password-rules.ts'
import { beginStep, type PendingStep } from './second-step.ts'
import {
  deleteSession,
  deleteSessionsOf,
  hasFactor,
  insertSession,
  insertSessionByLink,
} from './session-queries.ts'
import type { SessionStore } from './session-store.ts'
import { withVerifiedHash } from './with-verified-hash.ts'

type Attempt = { email: string; device: string | null; address: string; isKnownAddress: boolean }

export type SignInContext = FactorDependencies & { sessions: SessionStore; passwords: Passwords }

/** An unknown account costs the same work as a known one, so that the time reveals nothing. */
const DECOY_HASH = createDecoyHash()

export async function signInByPassword(
  context: SignInContext,
  { email: typedEmail, password }: Credentials,
  visitor: Visitor,
): Promise<Admission | PendingStep> {
  const { database, passwords } = context
  const email = typedEmail.toLowerCase()
  const device = visitor.deviceToken && devicePlace(visitor.deviceToken)
  const address = addressPlace(visitor)
  const candidate = await findCandidate(database, { email, device })
  const attempt = { email, device, address, isKnownAddress: await isKnownAddress(database, address) }
  const buckets = bucketsOf(candidate, attempt)
  await reserveAttempt(database, buckets)

  const passwordHash = candidate?.passwordHash
  const isRight = await passwords.verify(password, passwordHash ?? DECOY_HASH)
  if (!candidate || !passwordHash || !isRight) {
    return refuseSignIn(database, candidate?.account.id ?? null, visitor, wrongCredentials())
  }
  const { id: accountId } = candidate.account
  if (candidate.isDisabled) {
    await forgiveAttempt(database, buckets)
    return refuseSignIn(database, accountId, visitor, accountDisabled())
  }
  const proof = { accountId, password, hash: passwordHash }
  const { isKnownDevice } = candidate
  const needsStep = await hasFactor(database, accountId)
  const entered = await withVerifiedHash<Admission | PendingStep>(context, proof, async (hash) =>
    needsStep
      ? beginStep(database, { accountId, passwordHash: hash, isKnownDevice })
      : admit(context, 'sign-in', visitor, (tx, tokenHash) =>
          insertSession(tx, tokenHash, { accountId, byPassword: hash }),
        ),
  )
  if (!entered) return refuseSignIn(database, accountId, visitor, wrongCredentials())
  if (isWeakHash(passwordHash)) {
    const next = await passwords.hash(password)
    await updatePasswordHash(database, accountId, { verified: passwordHash, next })
  }
  await forgiveAttempt(database, buckets)
  return entered
}

/** Signs in by a one-time link. Most links work only on the machine that Lantern runs on (`isHere`). */
export async function signInByLink(
  context: SignInContext,
  token: string,
  visitor: Visitor,
  isHere: boolean,
): Promise<Admission> {
  const link = hashToken(token)
  const isBreakGlass = (await findSignInLink(context.database, link))?.isBreakGlass ?? false
  if (!isHere && !isBreakGlass)
    throw signInFailed(
      'One-time links work only on the machine that Lantern runs on. A link of the command break-glass works anywhere, once, for 15 minutes.',
    )
  const action = isBreakGlass ? 'sign-in-by-break-glass' : 'sign-in-by-link'
  const admission = await admit(context, action, visitor, (tx, tokenHash) =>
    insertSessionByLink(tx, tokenHash, link),
  )
  if (admission) return admission
  const isVoid = 'The link has been used, or is too old. Sign in another way, or have a new one made.'
  return refuseSignIn(context.database, null, visitor, signInFailed(isVoid))
}

/** Sets the password of the account that the link is for, and signs in. */
export async function signInByPasswordLink(
  context: SignInContext,
  { token, password }: PasswordByLink,
  visitor: Visitor,
): Promise<Admission | PendingStep> {
  const { database, sessions, passwords, party } = context
  const link = hashToken(token)
  const account = await findPasswordLink(database, link)
  // Anybody can make up tokens: a record of each would fill the table that nothing empties.
  if (!account) throw passwordLinkVoid()
  await refuseWeakPassword(password, account, party.id)
  const passwordHash = await passwords.hash(password)
  const { id: accountId } = account
  const setPassword = async (tx: Database) => {
    if ((await spendPasswordLink(tx, link, passwordHash)) === null) return false
    // Sessions from before the new password end.
    await deleteSessionsOf(tx, accountId)
    return true
  }
  const entered = (await hasFactor(database, accountId))
    ? await database.transaction(async (tx) => {
        if (!(await setPassword(tx))) return null
        await auditSignIn(tx, accountId, 'password-set-by-link', visitor)
        return beginStep(tx, { accountId, passwordHash, isKnownDevice: false })
      })
    : await admit(context, 'password-set-by-link', visitor, async (tx, tokenHash) => {
        if (!(await setPassword(tx))) return false
        if (await insertSession(tx, tokenHash, { accountId, byPassword: passwordHash })) return true
        throw factorSetUpMeanwhile()
      })
  sessions.forgetAll()
  return entered ?? refuseSignIn(database, accountId, visitor, passwordLinkVoid())
}

/** Signs in a person whom the provider of single sign-on vouches for; `mark` notes that of the session. */
export async function signInBySingleSignOn(
  context: SignInContext,
  { id: accountId }: Account,
  visitor: Visitor,
  mark: (tx: Database, tokenHash: Buffer) => Promise<void>,
): Promise<Admission> {
  const admission = await admit(context, 'sign-in-by-sso', visitor, async (tx, tokenHash) => {
    const isInserted = await insertSession(tx, tokenHash, { accountId })
    if (isInserted) await mark(tx, tokenHash)
    return isInserted
  })
  return admission ?? refuseSignIn(context.database, accountId, visitor, accountDisabled())
}

export async function signOut(
  { database, sessions }: SignInContext,
  { user }: ReaderSession,
  everywhere: boolean,
  visitor: Visitor,
): Promise<void> {
  await database.transaction(async (tx) => {
    if (everywhere) {
      await deleteSessionsOf(tx, user.id)
      await forgetPlaces(tx, user.id)
    } else if (visitor.sessionToken) {
      await deleteSession(tx, hashToken(visitor.sessionToken))
    }
    await auditSignIn(tx, user.id, everywhere ? 'sign-out-everywhere' : 'sign-out', visitor)
  })
  sessions.forgetAll()
}

function wrongCredentials(): ProblemError {
  return signInFailed('The email or the password is wrong. Check both and try again.')
}

/** Undoes what the link has set: nothing of it would be in the record. */
function factorSetUpMeanwhile(): ProblemError {
  return conflict('A second factor has been set up just now. Open the link again.')
}

function passwordLinkVoid(): ProblemError {
  return signInFailed(
    'The link has been used or replaced, or is older than 3 days. Ask an admin for a new one.',
  )
}

/** Only people who have proved that the account is theirs see this. */
export function accountDisabled(): ProblemError {
  return signInFailed('Ask an admin of your Lantern to enable it.', 'This account is disabled')
}

/**
 * A known device answers only for its own failures. At an address that people sign in from, failures made elsewhere do
 * not count; who else is there must not learn whose address it is, so that this holds for every email address, with an
 * account or without, and the address itself counts first.
 */
function bucketsOf(
  candidate: Candidate | null,
  { email, device, address, isKnownAddress }: Attempt,
): readonly AttemptBucket[] {
  if (candidate?.isKnownDevice && device) return [knownDeviceBucket(candidate.account.id, device)]
  const own = isKnownAddress ? knownAddressBucket(email, address) : accountBucket(email)
  return [addressBucket(address), own]
}
