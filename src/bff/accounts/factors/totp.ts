import { generateSecret, generateURI, verifySync } from 'otplib'
import type { TotpSetup } from '#contract/bff/factor.ts'
import type { Database } from '#database/database.ts'
import { openSealed, type SealedPlace, seal } from '#server/seal.ts'
import { listTotp, replaceSealedTotp } from './factor-queries.ts'

const ISSUER = 'Lantern'
/** A code counts in its own 30 seconds, the ones before and the ones after: clocks differ. */
const TOLERANCE_SECONDS = 30

export function createTotpSetup(email: string): TotpSetup {
  const secret = generateSecret()
  return { secret, uri: generateURI({ issuer: ISSUER, label: email, secret }) }
}

/** The time step that a code is of; null where it is of none that is near. */
export function findTotpStep(secret: string, code: string): number | null {
  const result = verifySync({ secret, token: code, epochTolerance: TOLERANCE_SECONDS })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

export function sealTotp(totpSecret: string, accountId: string, secret: string): Buffer {
  return seal(totpSecret, placeOf(accountId), secret)
}

/** Null where SECRET is another one than when it was sealed. */
export function openTotp(sealed: Buffer, accountId: string, secret: string): string | null {
  return openSealed(sealed, placeOf(accountId), secret)
}

/** After SECRET was replaced, what the one before has sealed is sealed with the new one. */
export async function resealTotp(database: Database, { secret, before }: { secret: string; before: string }) {
  for (const { accountId, sealedSecret } of await listTotp(database)) {
    if (openTotp(sealedSecret, accountId, secret) !== null) continue
    const totpSecret = openTotp(sealedSecret, accountId, before)
    if (totpSecret === null) continue
    await replaceSealedTotp(database, {
      accountId,
      from: sealedSecret,
      to: sealTotp(totpSecret, accountId, secret),
    })
  }
}

function placeOf(accountId: string): SealedPlace {
  return { purpose: 'lantern second factor', row: ['totp_factor', accountId] }
}
