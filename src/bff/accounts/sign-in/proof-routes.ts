import { auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { checkFactor, type FactorDependencies } from '#bff/accounts/factors/check-factor.ts'
import { listPasskeys, lockFactors } from '#bff/accounts/factors/factor-queries.ts'
import { passkeyRequest } from '#bff/accounts/factors/passkeys.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute, type ReaderSession } from '#bff/http/route.ts'
import { type FreshProof, freshProofSchema } from '#contract/bff/factor.ts'
import type { Database } from '#database/database.ts'
import { readPasswordHash } from './account-queries.ts'
import { factorBucket, forgiveAttempt, passwordBucket, reserveAttempt } from './attempt-limit.ts'
import type { Passwords } from './password-hash.ts'
import { hasFactor, putChallenge, refreshProof, takeChallenge } from './session-queries.ts'
import type { SessionStore } from './session-store.ts'

const EVERYONE = { access: 'viewer', isForEnrolment: true } as const

const REASONS = {
  password: 'This is not your password.',
  code: 'The code is wrong, or was used before. Enter the newest one.',
  passkey: 'The passkey was not accepted. Try again, or use another way.',
  recoveryCode: 'The recovery code is wrong, or was used before: each works once.',
} as const
const FACTOR_NEEDED = 'Your account has a second factor: confirm with that.'

/** Lets the person at an open session prove their identity, with the attempt limits of the sign-in. */
export function proofRoutes(
  deps: FactorDependencies & { passwords: Passwords; sessions: SessionStore },
): BffRoute[] {
  const { database, party, passwords, sessions } = deps

  /** Checks a proof, which can be used once; null if it is wrong. */
  async function check(
    { id, user }: ReaderSession,
    proof: FreshProof,
  ): Promise<((tx: Database) => Promise<boolean>) | null> {
    if (!('password' in proof)) {
      const checked = await checkFactor(deps, user.id, proof, () => takeChallenge(database, id))
      return checked?.spend ?? null
    }
    const hash = await readPasswordHash(database, user.id)
    const isRight = hash !== null && (await passwords.verify(proof.password, hash))
    if (!isRight) return null
    return async (tx) => {
      await lockFactors(tx, user.id)
      return !(await hasFactor(tx, user.id))
    }
  }

  return [
    defineRoute('POST /bff/proof', {
      ...EVERYONE,
      body: freshProofSchema,
      async answer({ body, session, request }) {
        const { id: accountId, email } = session.user
        const facts = { ...auditFacts({ session, request }), object: accountId, objectName: email }
        const name = nameOf(body)
        if (name === 'password' && (await hasFactor(database, accountId)))
          throw notProven([{ name, reason: FACTOR_NEEDED }])
        const buckets = [name === 'password' ? passwordBucket(accountId) : factorBucket(accountId, true)]
        await reserveAttempt(database, buckets)
        const spend = await check(session, body)
        const isProven =
          spend !== null &&
          (await database.transaction(async (tx) => {
            if (!(await spend(tx))) return false
            await refreshProof(tx, session.id, { byFactor: name !== 'password' })
            if (name === 'recoveryCode') await recordAudit(tx, { ...facts, action: 'recovery-code-used' })
            return true
          }))
        if (!isProven) {
          await recordAudit(database, { ...facts, action: 'proof-failed' })
          throw notProven([{ name, reason: REASONS[name] }])
        }
        await forgiveAttempt(database, buckets)
        sessions.forgetAll()
        return { status: 204 }
      },
    }),
    defineRoute('POST /bff/proof/passkey', {
      ...EVERYONE,
      async answer({ session }) {
        const options = await passkeyRequest(party, await listPasskeys(database, session.user.id))
        await putChallenge(database, session.id, options.challenge)
        return { json: options }
      },
    }),
  ]
}

function nameOf(proof: FreshProof): keyof typeof REASONS {
  if ('password' in proof) return 'password'
  if ('code' in proof) return 'code'
  return 'passkey' in proof ? 'passkey' : 'recoveryCode'
}

function notProven(fields: { name: string; reason: string }[]): ProblemError {
  return new ProblemError({ code: 'bad_request', detail: 'Check what you entered, then try again.', fields })
}
