import { type AuditRecord, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { networkOf } from '#bff/http/guards/network-of.ts'
import type { ProblemError } from '#bff/http/problem-error.ts'
import type { ReaderSession } from '#bff/http/route.ts'
import { createToken, hashToken } from '#bff/http/token.ts'
import type { OwnSession } from '#contract/bff/own-session.ts'
import type { Database } from '#database/database.ts'
import { isOtherDevice, rememberPlaces } from './account-queries.ts'
import { findSession, noteOrigin } from './session-queries.ts'
import type { SessionStore } from './session-store.ts'

/** The origin of a sign-in. */
export type Visitor = {
  route: string
  requestId: string
  address: string
  /** The browser in plain words. */
  device: string
  sessionToken: string | null
  deviceToken: string | null
  /** The token of a sign-in that waits for its second step. */
  stepToken: string | null
}
export type Admission = { session: ReaderSession; sessionToken: string; deviceToken: string }

type AdmissionContext = { database: Database; sessions: SessionStore }

export function auditSignIn(
  db: Database,
  actor: string | null,
  action: AuditRecord['action'],
  { route, address, requestId }: Visitor,
): Promise<void> {
  return recordAudit(db, { actor, action, route, object: actor, address, requestId })
}

/**
 * Every way of signing in ends here, whatever proved the account: `insert` opens a session where that still holds, and
 * is recorded with it. Null where it does not hold.
 */
export async function admit(
  { database, sessions }: AdmissionContext,
  action: AuditRecord['action'],
  visitor: Visitor,
  insert: (tx: Database, tokenHash: Buffer) => Promise<boolean>,
): Promise<Admission | null> {
  const deviceToken = visitor.deviceToken ?? createToken()
  const opened = await sessions.open(
    (tokenHash) =>
      database.transaction(async (tx) => {
        const session = (await insert(tx, tokenHash)) && (await findSession(tx, tokenHash))
        if (!session) return false
        const { id } = session.user
        const { device, address } = visitor
        await noteOrigin(tx, tokenHash, { device, address, beganBy: BEGAN_BY.get(action) ?? 'password' })
        const isNewDevice = await isOtherDevice(tx, id, devicePlace(deviceToken))
        await rememberPlaces(tx, id, [devicePlace(deviceToken), addressPlace(visitor)])
        await auditSignIn(tx, id, action, visitor)
        if (isNewDevice) await auditSignIn(tx, id, 'sign-in-from-new-device', visitor)
        return true
      }),
    visitor.sessionToken,
  )
  return opened && { session: opened.session, sessionToken: opened.token, deviceToken }
}

/** Records that a sign-in was refused, and throws why. */
export async function refuseSignIn(
  database: Database,
  accountId: string | null,
  visitor: Visitor,
  problem: ProblemError,
  action: AuditRecord['action'] = 'sign-in-failed',
): Promise<never> {
  await auditSignIn(database, accountId, action, visitor)
  throw problem
}

const BEGAN_BY: ReadonlyMap<string, OwnSession['beganBy']> = new Map([
  ['sign-in-by-link', 'link'],
  ['sign-in-by-break-glass', 'link'],
  ['sign-in-by-sso', 'sso'],
])

export function devicePlace(token: string): string {
  return `device ${hashToken(token).toString('hex')}`
}

export function addressPlace({ address }: Visitor): string {
  return `address ${networkOf(address)}`
}
