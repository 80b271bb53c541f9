import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { type AuditRecord, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { networkOf } from '#bff/http/guards/network-of.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import type { ReaderSession } from '#bff/http/route.ts'
import { createToken, hashToken } from '#bff/http/token.ts'
import type { Credentials } from '#contract/bff/session.ts'
import type { PasswordByLink } from '#contract/bff/user.ts'
import type { Database } from '#database/database.ts'
import {
  type Account,
  type Candidate,
  findCandidate,
  findPasswordLink,
  forgetPlaces,
  isKnownAddress,
  rememberPlaces,
  spendPasswordLink,
  spendSignInLink,
} from './account-queries.ts'
import {
  type AttemptBucket,
  accountBucket,
  addressBucket,
  forgiveAttempt,
  knownAddressBucket,
  knownDeviceBucket,
  reserveAttempt,
} from './attempt-limit.ts'
import { refuseWeakPassword } from './password-rules.ts'
import type { SessionStore } from './session-store.ts'

/** Where a sign-in comes from. */
export type Visitor = {
  route: string
  requestId: string
  address: string
  sessionToken: string | null
  deviceToken: string | null
}
export type Admission = { session: ReaderSession; sessionToken: string; deviceToken: string }

type Attempt = { email: string; device: string | null; address: string; isKnownAddress: boolean }

export type SignIn = {
  byPassword(credentials: Credentials, visitor: Visitor): Promise<Admission>
  byLink(token: string, visitor: Visitor): Promise<Admission>
  /** Sets the password of the account that the link is for. */
  byPasswordLink(link: PasswordByLink, visitor: Visitor): Promise<Admission>
  /** Somebody whom the provider of single sign-on vouches for. */
  bySingleSignOn(account: Account, visitor: Visitor): Promise<Admission>
  out(session: ReaderSession, everywhere: boolean, visitor: Visitor): Promise<void>
}

/** An unknown account costs the same work as a known one, so that time does not tell them apart. */
const decoyHash = hashPassword(createToken())

export function createSignIn(database: Database, sessions: SessionStore): SignIn {
  /** Every way of signing in ends here, whatever proved the account. */
  async function admit(
    account: Account,
    visitor: Visitor,
    action: AuditRecord['action'],
  ): Promise<Admission> {
    const deviceToken = visitor.deviceToken ?? createToken()
    await rememberPlaces(database, account.id, [devicePlace(deviceToken), addressPlace(visitor)])
    const { token, session } = await sessions.open(account.id, visitor.sessionToken)
    await audit(account.id, action, visitor)
    return { session, sessionToken: token, deviceToken }
  }

  function audit(
    actor: string | null,
    action: AuditRecord['action'],
    { route, address, requestId }: Visitor,
  ) {
    return recordAudit(database, { actor, action, route, object: actor, address, requestId })
  }

  return {
    async byPassword({ email: typedEmail, password }, visitor) {
      const email = typedEmail.toLowerCase()
      const device = visitor.deviceToken && devicePlace(visitor.deviceToken)
      const address = addressPlace(visitor)
      const candidate = await findCandidate(database, { email, device })
      const attempt = { email, device, address, isKnownAddress: await isKnownAddress(database, address) }
      const buckets = bucketsOf(candidate, attempt)
      await reserveAttempt(database, buckets)

      const isRight = await verifyPassword({
        hash: candidate?.passwordHash ?? (await decoyHash),
        password,
      })
      if (!candidate?.passwordHash || !isRight) {
        await audit(candidate?.account.id ?? null, 'sign-in-failed', visitor)
        throw new ProblemError({
          code: 'sign_in_failed',
          detail: 'The email or the password is wrong. Check both and try again.',
        })
      }
      await forgiveAttempt(database, buckets)
      if (candidate.isDisabled) {
        await audit(candidate.account.id, 'sign-in-failed', visitor)
        throw accountDisabled()
      }
      return admit(candidate.account, visitor, 'sign-in')
    },

    async byLink(token, visitor) {
      const account = await spendSignInLink(database, hashToken(token))
      if (!account) {
        await audit(null, 'sign-in-failed', visitor)
        throw new ProblemError({
          code: 'sign_in_failed',
          detail: 'The link has been used or is older than 10 minutes. Sign in with email and password.',
        })
      }
      return admit(account, visitor, 'sign-in-by-link')
    },

    async byPasswordLink({ token, password }, visitor) {
      const link = hashToken(token)
      const account = await findPasswordLink(database, link)
      if (account) refuseWeakPassword(password, account)
      const isSpent = account && (await spendPasswordLink(database, link, await hashPassword(password)))
      if (!isSpent) {
        // Anybody can make up tokens: a record of each would fill the table that nothing empties.
        if (account) await audit(account.id, 'sign-in-failed', visitor)
        throw new ProblemError({
          code: 'sign_in_failed',
          detail: 'The link has been used or replaced, or is older than 3 days. Ask an admin for a new one.',
        })
      }
      // Whoever was in with the password before is not any more.
      await sessions.endAll(account.id)
      return admit(account, visitor, 'password-set-by-link')
    },

    bySingleSignOn: (account, visitor) => admit(account, visitor, 'sign-in-by-sso'),

    async out({ user }, everywhere, visitor) {
      if (everywhere) {
        await sessions.endAll(user.id)
        await forgetPlaces(database, user.id)
      } else if (visitor.sessionToken) {
        await sessions.end(visitor.sessionToken)
      }
      await audit(user.id, everywhere ? 'sign-out-everywhere' : 'sign-out', visitor)
    },
  }
}

/** Told only to those who have proved that the account is theirs. */
export function accountDisabled(): ProblemError {
  return new ProblemError({
    code: 'sign_in_failed',
    title: 'This account is disabled',
    detail: 'Ask an admin of your Lantern to enable it.',
  })
}

/**
 * A known device answers only for its own failures. At an address that people sign in from, failures made elsewhere do
 * not count; who else is there must not learn whose address it is, so that this holds for every e-mail address, with an
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

function devicePlace(token: string): string {
  return `device ${hashToken(token).toString('hex')}`
}

function addressPlace({ address }: Visitor): string {
  return `address ${networkOf(address)}`
}
