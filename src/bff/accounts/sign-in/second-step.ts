import { checkFactor, type FactorDependencies } from '#bff/accounts/factors/check-factor.ts'
import { listPasskeys } from '#bff/accounts/factors/factor-queries.ts'
import { passkeyRequest } from '#bff/accounts/factors/passkeys.ts'
import { type ProblemError, signInFailed } from '#bff/http/problem-error.ts'
import { createToken, hashToken } from '#bff/http/token.ts'
import type { FactorProof } from '#contract/bff/factor.ts'
import type { SignInStep } from '#contract/bff/sign-in-step.ts'
import type { Database } from '#database/database.ts'
import { type Admission, admit, auditSignIn, refuseSignIn, type Visitor } from './admission.ts'
import { factorBucket, forgiveAttempt, reserveAttempt } from './attempt-limit.ts'
import { insertSession } from './session-queries.ts'
import type { SessionStore } from './session-store.ts'
import {
  deleteStep,
  findStep,
  insertStep,
  lockStep,
  putStepChallenge,
  type StoredStep,
  takeStepChallenge,
} from './step-queries.ts'

/** A sign-in whose password was right, under a token of its own that opens nothing else. */
export type PendingStep = { stepToken: string; step: SignInStep }

/** Begins the wait for a second step; null where the password is not the account's any more. */
export async function beginStep(
  db: Database,
  account: Parameters<typeof insertStep>[2],
): Promise<PendingStep | null> {
  const stepToken = createToken()
  const tokenHash = hashToken(stepToken)
  if (!(await insertStep(db, tokenHash, account))) return null
  const stored = await findStep(db, tokenHash)
  return stored && { stepToken, step: describeStep(stored) }
}

/** Returns the step for which this browser's sign-in waits; null if there is none. */
export async function findPendingStep(db: Database, { stepToken }: Visitor): Promise<SignInStep | null> {
  const stored = stepToken && (await findStep(db, hashToken(stepToken)))
  return stored ? describeStep(stored) : null
}

/** Returns the options by which the browser requests a passkey. */
export async function requestStepPasskey({ database, party }: FactorDependencies, visitor: Visitor) {
  const { tokenHash, accountId } = await requireStep(database, visitor)
  const options = await passkeyRequest(party, await listPasskeys(database, accountId))
  await putStepChallenge(database, tokenHash, options.challenge)
  return options
}

export async function finishStep(
  context: FactorDependencies & { sessions: SessionStore },
  proof: FactorProof,
  visitor: Visitor,
): Promise<Admission> {
  const { database } = context
  const { tokenHash, accountId, isKnownDevice } = await requireStep(database, visitor)
  const buckets = [factorBucket(accountId, isKnownDevice)]
  await reserveAttempt(database, buckets)
  const checked = await checkFactor(context, accountId, proof, () => takeStepChallenge(database, tokenHash))
  const admission =
    checked &&
    (await admit(context, 'sign-in', visitor, async (tx, sessionHash) => {
      if (!(await lockStep(tx, tokenHash, accountId)) || !(await checked.spend(tx))) return false
      await deleteStep(tx, tokenHash)
      if ('recoveryCode' in proof) await auditSignIn(tx, accountId, 'recovery-code-used', visitor)
      return insertSession(tx, sessionHash, { accountId })
    }))
  if (!admission) return refuseSignIn(database, accountId, visitor, wrongProof(proof), 'second-step-failed')
  await forgiveAttempt(database, buckets)
  return admission
}

async function requireStep(
  db: Database,
  { stepToken }: Visitor,
): Promise<StoredStep & { tokenHash: Buffer }> {
  const tokenHash = stepToken && hashToken(stepToken)
  const step = tokenHash && (await findStep(db, tokenHash))
  if (!step)
    throw signInFailed('Begin again with your email and password.', 'This took longer than 5 minutes')
  return { ...step, tokenHash }
}

function describeStep({ hasTotp, hasPasskeys }: StoredStep): SignInStep {
  return { kind: 'factor', hasTotp, hasPasskeys }
}

function wrongProof(proof: FactorProof): ProblemError {
  const detail =
    'code' in proof
      ? 'The code is wrong, or was used before. Enter the newest one that your app shows.'
      : 'passkey' in proof
        ? 'The passkey was not accepted. Try again, or use another way.'
        : 'The recovery code is wrong, or was used before: each works once.'
  return signInFailed(detail)
}
