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
  updatePasswordHash,
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
import { createDecoyHash, isWeakHash, type Passwords } from './password-hash.ts'
import { refuseWeakPassword } from './password-rules.ts'
import { deleteSessionsOf, insertSession, insertSessionByLink } from './session-queries.ts'
import type { OpenedSession, SessionStore } from './session-store.ts'
import { withVerifiedHash } from './with-verified-hash.ts'

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

type SignInDependencies = { database: Database; sessions: SessionStore; passwords: Passwords }

export function createSignIn(deps: SignInDependencies): SignIn {
  const { database, sessions, passwords } = deps
  /** An unknown account costs the same work as a known one, so that time does not tell them apart. */
  const decoyHash = createDecoyHash()

  /** Every way of signing in ends here, whatever proved the account. */
  async function admit(
    { token, session }: OpenedSession,
    visitor: Visitor,
    action: AuditRecord['action'],
  ): Promise<Admission> {
    const { id } = session.user
    const deviceToken = visitor.deviceToken ?? createToken()
    await rememberPlaces(database, id, [devicePlace(deviceToken), addressPlace(visitor)])
    await audit(id, action, visitor)
    return { session, sessionToken: token, deviceToken }
  }

  async function refuse(accountId: string | null, visitor: Visitor, problem: ProblemError): Promise<never> {
    await audit(accountId, 'sign-in-failed', visitor)
    throw problem
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

      const passwordHash = candidate?.passwordHash
      const isRight = await passwords.verify(password, passwordHash ?? decoyHash)
      if (!candidate || !passwordHash || !isRight) {
        return refuse(candidate?.account.id ?? null, visitor, wrongCredentials())
      }
      const { id: accountId } = candidate.account
      if (candidate.isDisabled) {
        await forgiveAttempt(database, buckets)
        return refuse(accountId, visitor, accountDisabled())
      }
      const proof = { accountId, password, hash: passwordHash }
      const opened = await withVerifiedHash(deps, proof, (hash) =>
        sessions.open(
          (tokenHash) => insertSession(database, tokenHash, { accountId, passwordHash: hash }),
          visitor.sessionToken,
        ),
      )
      if (!opened) return refuse(accountId, visitor, wrongCredentials())
      if (isWeakHash(passwordHash)) {
        const next = await passwords.hash(password)
        await updatePasswordHash(database, accountId, { verified: passwordHash, next })
      }
      await forgiveAttempt(database, buckets)
      return admit(opened, visitor, 'sign-in')
    },

    async byLink(token, visitor) {
      const opened = await sessions.open(
        (tokenHash) => insertSessionByLink(database, tokenHash, hashToken(token)),
        visitor.sessionToken,
      )
      return opened ? admit(opened, visitor, 'sign-in-by-link') : refuse(null, visitor, linkVoid())
    },

    async byPasswordLink({ token, password }, visitor) {
      const link = hashToken(token)
      const account = await findPasswordLink(database, link)
      // Anybody can make up tokens: a record of each would fill the table that nothing empties.
      if (!account) throw passwordLinkVoid()
      refuseWeakPassword(password, account)
      const passwordHash = await passwords.hash(password)
      const opened = await sessions.open(
        (tokenHash) =>
          database.transaction(async (tx) => {
            const accountId = await spendPasswordLink(tx, link, passwordHash)
            if (accountId === null) return false
            // Whoever was in with the password before is not any more.
            await deleteSessionsOf(tx, accountId)
            return insertSession(tx, tokenHash, { accountId, passwordHash })
          }),
        visitor.sessionToken,
      )
      sessions.forgetAll()
      return opened
        ? admit(opened, visitor, 'password-set-by-link')
        : refuse(account.id, visitor, passwordLinkVoid())
    },

    async bySingleSignOn({ id: accountId }, visitor) {
      const opened = await sessions.open(
        (tokenHash) => insertSession(database, tokenHash, { accountId }),
        visitor.sessionToken,
      )
      return opened ? admit(opened, visitor, 'sign-in-by-sso') : refuse(accountId, visitor, accountDisabled())
    },

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

function wrongCredentials(): ProblemError {
  return new ProblemError({
    code: 'sign_in_failed',
    detail: 'The email or the password is wrong. Check both and try again.',
  })
}

function linkVoid(): ProblemError {
  return new ProblemError({
    code: 'sign_in_failed',
    detail: 'The link has been used or is older than 10 minutes. Sign in with email and password.',
  })
}

function passwordLinkVoid(): ProblemError {
  return new ProblemError({
    code: 'sign_in_failed',
    detail: 'The link has been used or replaced, or is older than 3 days. Ask an admin for a new one.',
  })
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
