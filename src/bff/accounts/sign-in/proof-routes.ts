import { auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { checkFactor, type FactorDependencies } from '#bff/accounts/factors/check-factor.ts'
import { listPasskeys } from '#bff/accounts/factors/factor-queries.ts'
import { passkeyRequest } from '#bff/accounts/factors/passkeys.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute, type ReaderSession } from '#bff/http/route.ts'
import { type FreshProof, freshProofSchema } from '#contract/bff/factor.ts'
import type { Database } from '#database/database.ts'
import { readPasswordHash } from './account-queries.ts'
import { factorBucket, forgiveAttempt, passwordBucket, reserveAttempt } from './attempt-limit.ts'
import type { Passwords } from './password-hash.ts'
import { putChallenge, refreshProof, takeChallenge } from './session-queries.ts'
import type { SessionStore } from './session-store.ts'

const EVERYONE = { access: 'viewer', cache: 'none', isForEnrolment: true } as const

const REASONS = {
  password: 'This is not your password.',
  code: 'The code is wrong, or was used before. Enter the newest one.',
  passkey: 'The passkey was not accepted. Try again, or use another way.',
} as const

/** Whoever sits at an open session proves to be its person, and may guess as rarely as at the sign-in. */
export function proofRoutes(
  deps: FactorDependencies & { passwords: Passwords; sessions: SessionStore },
): BffRoute[] {
  const { database, party, passwords, sessions } = deps

  /** What takes the proof, once; null where it is wrong. */
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
    return isRight ? async () => true : null
  }

  return [
    defineRoute({
      method: 'POST',
      path: '/bff/proof',
      ...EVERYONE,
      body: freshProofSchema,
      async answer({ body, session, request }) {
        const { id: accountId, email } = session.user
        const name = 'password' in body ? 'password' : 'code' in body ? 'code' : 'passkey'
        const buckets = [name === 'password' ? passwordBucket(accountId) : factorBucket(accountId, true)]
        await reserveAttempt(database, buckets)
        const spend = await check(session, body)
        const isProven =
          spend !== null &&
          (await database.transaction(async (tx) => {
            if (!(await spend(tx))) return false
            await refreshProof(tx, session.id)
            return true
          }))
        if (!isProven) {
          await recordAudit(database, {
            ...auditFacts('POST /bff/proof', { session, request }),
            action: 'proof-failed',
            object: accountId,
            objectName: email,
          })
          throw new ProblemError({
            code: 'bad_request',
            detail: 'Check what you entered, then try again.',
            fields: [{ name, reason: REASONS[name] }],
          })
        }
        await forgiveAttempt(database, buckets)
        sessions.forgetAll()
        return { status: 204 }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/proof/passkey',
      ...EVERYONE,
      async answer({ session }) {
        const options = await passkeyRequest(party, await listPasskeys(database, session.user.id))
        await putChallenge(database, session.id, options.challenge)
        return { json: options }
      },
    }),
  ]
}
