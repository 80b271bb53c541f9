import { conflict, type ProblemError } from '#bff/http/problem-error.ts'
import type { FactorProof } from '#contract/bff/factor.ts'
import type { Database } from '#database/database.ts'
import {
  findTotp,
  hasRecoveryCode,
  listPasskeys,
  spendPasskey,
  spendRecoveryCode,
  spendTotpStep,
} from './factor-queries.ts'
import { type PasskeyAnswer, type RelyingParty, verifyPasskey } from './passkeys.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { findTotpStep, openTotp } from './totp.ts'

export type FactorDependencies = {
  database: Database
  /** Seals the secrets of authenticator apps. */
  secret: string
  party: RelyingParty
}

/** A proof that is right, and counts once: `spend` takes it, and is false where another request was first. */
export type CheckedFactor = { spend(tx: Database): Promise<boolean> }

/** Null where the proof is wrong. `takeChallenge` gives what a passkey was to sign, once. */
export async function checkFactor(
  deps: FactorDependencies,
  accountId: string,
  proof: FactorProof,
  takeChallenge: () => Promise<string | null>,
): Promise<CheckedFactor | null> {
  const { database } = deps
  if ('code' in proof) return checkCode(deps, accountId, proof.code)
  if ('passkey' in proof) return checkPasskey(deps, accountId, proof.passkey, await takeChallenge())
  const hash = hashRecoveryCode(accountId, proof.recoveryCode)
  if (!(await hasRecoveryCode(database, accountId, hash))) return null
  return { spend: (tx) => spendRecoveryCode(tx, accountId, hash) }
}

async function checkCode(
  { database, secret }: FactorDependencies,
  accountId: string,
  code: string,
): Promise<CheckedFactor | null> {
  const stored = await findTotp(database, accountId)
  if (!stored?.isConfirmed) return null
  const totpSecret = openTotp(stored.sealedSecret, accountId, secret)
  if (totpSecret === null) throw notOpened()
  const step = findTotpStep(totpSecret, code)
  return step === null ? null : { spend: (tx) => spendTotpStep(tx, accountId, step) }
}

async function checkPasskey(
  { database, party }: FactorDependencies,
  accountId: string,
  passkey: PasskeyAnswer,
  challenge: string | null,
): Promise<CheckedFactor | null> {
  const known = await listPasskeys(database, accountId)
  const credential = known.find(({ id }) => id === passkey.id)
  if (!credential || challenge === null) return null
  const counter = await verifyPasskey(party, challenge, passkey, credential)
  return counter === null ? null : { spend: (tx) => spendPasskey(tx, accountId, passkey.id, counter) }
}

/** SECRET is another one than when the app was set up. */
function notOpened(): ProblemError {
  return conflict(
    'This Lantern has another SECRET than when you set it up. Use a passkey or a recovery code, or ask an admin.',
    'Codes of your app cannot be checked',
  )
}
