import { type AuditRecord, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import {
  endPasswordProofs,
  lockSession,
  putChallenge,
  spendFactorProof,
  takeChallenge,
} from '#bff/accounts/sign-in/session-queries.ts'
import type { SessionStore } from '#bff/accounts/sign-in/session-store.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import { requireRole } from '#bff/http/require-role.ts'
import type { ReaderSession } from '#bff/http/route.ts'
import type { Factors, FactorsChanged, PasskeyRegistration, TotpSetup } from '#contract/bff/factor.ts'
import type { Role } from '#contract/bff/session.ts'
import type { Database } from '#database/database.ts'
import type { FactorDependencies } from './check-factor.ts'
import {
  confirmTotp,
  deleteFactors,
  deletePasskey,
  deleteTotp,
  findTotp,
  insertPasskey,
  insertTotp,
  listPasskeys,
  lockFactors,
  readFactors,
  renamePasskey,
  replaceRecoveryCodes,
  spendTotpStep,
} from './factor-queries.ts'
import { passkeyCreation, readNewPasskey } from './passkeys.ts'
import { createRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts'
import { createTotpSetup, findTotpStep, openTotp, sealTotp } from './totp.ts'

type Facts = Pick<AuditRecord, 'actor' | 'route' | 'address' | 'requestId'>
type Change = Pick<AuditRecord, 'action' | 'before' | 'after'>

const APP = 'authenticator app'

/** Manages the second factors of one's own account. */
export function createFactors(
  deps: FactorDependencies & { sessions: SessionStore; factorRoles: readonly Role[] },
) {
  const { database, secret, party, sessions, factorRoles } = deps

  async function read(db: Database, { user }: ReaderSession): Promise<Factors> {
    return { ...(await readFactors(db, user.id)), isRequired: factorRoles.includes(user.role) }
  }

  /** Makes a change and its record for whoever is signed in still, one at a time for each account. */
  async function change(
    session: ReaderSession,
    facts: Facts,
    run: (tx: Database) => Promise<Change>,
  ): Promise<FactorsChanged> {
    const { id: accountId, email } = session.user
    const changed = await database.transaction(async (tx) => {
      await lockFactors(tx, accountId)
      requireRole(await lockSession(tx, session.id), 'viewer')
      const had = await read(tx, session)
      const event = await run(tx)
      await recordAudit(tx, { ...facts, ...event, object: accountId, objectName: email })
      const factors = await read(tx, session)
      const isLast = factors.totp === null && factors.passkeys.length === 0
      if (isLast && factors.isRequired) throw lastFactor()
      if (isLast) await deleteFactors(tx, accountId)
      if (!isLast && had.totp === null && had.passkeys.length === 0)
        await endPasswordProofs(tx, session.id, accountId)
      const isFirst = !isLast && factors.recoveryCodes === 0 && event.action === 'factor-added'
      const recoveryCodes =
        isFirst || event.action === 'recovery-codes-made' ? await renewCodes(tx, accountId) : null
      return { factors: await read(tx, session), recoveryCodes }
    })
    // The rights of sessions change with it.
    sessions.forgetAll()
    return changed
  }

  async function renewCodes(tx: Database, accountId: string): Promise<string[]> {
    const codes = createRecoveryCodes()
    await replaceRecoveryCodes(
      tx,
      accountId,
      codes.map((code) => hashRecoveryCode(accountId, code)),
    )
    return codes
  }

  return {
    read: (session: ReaderSession) => read(database, session),

    async beginTotp({ user }: ReaderSession): Promise<TotpSetup> {
      const { hasPassword } = await readFactors(database, user.id)
      if (!hasPassword) throw noPassword()
      const setup = createTotpSetup(user.email)
      if (!(await insertTotp(database, user.id, sealTotp(setup.secret, user.id, secret)))) {
        throw new ProblemError({
          code: 'conflict',
          title: 'There is an authenticator app already',
          detail: 'Remove it first, then set up another.',
        })
      }
      return setup
    },

    confirmTotp(session: ReaderSession, code: string, facts: Facts): Promise<FactorsChanged> {
      const { id } = session.user
      return change(session, facts, async (tx) => {
        const stored = await findTotp(tx, id)
        const totpSecret = stored && !stored.isConfirmed && openTotp(stored.sealedSecret, id, secret)
        if (!totpSecret) {
          throw new ProblemError({ code: 'conflict', detail: 'Begin again: scan a new code with your app.' })
        }
        const step = findTotpStep(totpSecret, code)
        if (step === null || !(await spendTotpStep(tx, id, step))) {
          const reason =
            'This is not the code that the app shows now. Enter the newest one; if it stays so, check the clock of the device.'
          throw new ProblemError({
            code: 'bad_request',
            detail: 'Check the field named here.',
            fields: [{ name: 'code', reason }],
          })
        }
        await confirmTotp(tx, id)
        return { action: 'factor-added', after: { factor: APP } }
      })
    },

    removeTotp(session: ReaderSession, facts: Facts): Promise<FactorsChanged> {
      return change(session, facts, async (tx) => {
        if (!(await deleteTotp(tx, session.user.id))) throw gone()
        if (!(await spendFactorProof(tx, session.id))) throw factorProofNeeded()
        return { action: 'factor-removed', before: { factor: APP } }
      })
    },

    async beginPasskey({ id, user }: ReaderSession) {
      const { hasPassword } = await readFactors(database, user.id)
      if (!hasPassword) throw noPassword()
      const options = await passkeyCreation(party, user, await listPasskeys(database, user.id))
      await putChallenge(database, id, options.challenge)
      return options
    },

    async addPasskey(
      session: ReaderSession,
      { name, passkey }: PasskeyRegistration,
      facts: Facts,
    ): Promise<FactorsChanged> {
      const challenge = await takeChallenge(database, session.id)
      const made = challenge === null ? null : await readNewPasskey(party, challenge, passkey)
      if (!made) throw notMadeHere()
      return change(session, facts, async (tx) => {
        if (!(await insertPasskey(tx, session.user.id, { ...made, name }))) throw notMadeHere()
        return { action: 'factor-added', after: { factor: 'passkey', name } }
      })
    },

    renamePasskey(session: ReaderSession, id: string, name: string, facts: Facts): Promise<FactorsChanged> {
      return change(session, facts, async (tx) => {
        const before = await renamePasskey(tx, session.user.id, id, name)
        if (before === null) throw gone()
        return { action: 'factor-changed', before: { name: before }, after: { name } }
      })
    },

    removePasskey(session: ReaderSession, id: string, facts: Facts): Promise<FactorsChanged> {
      return change(session, facts, async (tx) => {
        const name = await deletePasskey(tx, session.user.id, id)
        if (name === null) throw gone()
        if (!(await spendFactorProof(tx, session.id))) throw factorProofNeeded()
        return { action: 'factor-removed', before: { factor: 'passkey', name } }
      })
    },

    renewRecoveryCodes(session: ReaderSession, facts: Facts): Promise<FactorsChanged> {
      return change(session, facts, async () => ({ action: 'recovery-codes-made' }))
    },
  }
}

function factorProofNeeded(): ProblemError {
  return new ProblemError({
    code: 'fresh_proof_needed',
    detail: 'To remove a second factor, confirm with one of your second factors, then try again.',
  })
}

function gone(): ProblemError {
  return new ProblemError({ code: 'not_found', detail: 'It has been removed already. Reload the page.' })
}

function noPassword(): ProblemError {
  return new ProblemError({
    code: 'conflict',
    title: 'This account signs in by single sign-on',
    detail: 'Its second factor is a matter of your identity provider: set it up there.',
  })
}

function notMadeHere(): ProblemError {
  return new ProblemError({
    code: 'conflict',
    title: 'The passkey was not added',
    detail: 'It took longer than 5 minutes, or it was not made for this Lantern. Begin again.',
  })
}

function lastFactor(): ProblemError {
  return new ProblemError({
    code: 'conflict',
    title: 'Your role needs a second factor',
    detail: 'Add another one first, then remove this one.',
  })
}
