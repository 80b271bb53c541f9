import * as z from 'zod/mini'
import type { AuditedAction } from '#bff/accounts/audit/record-audit.ts'
import { type ChangeContext, makeChange } from '#bff/accounts/make-change.ts'
import {
  endPasswordProofs,
  putChallenge,
  spendFactorProof,
  takeChallenge,
} from '#bff/accounts/sign-in/session-queries.ts'
import type { SessionStore } from '#bff/accounts/sign-in/session-store.ts'
import { conflict, notFound, ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute, type ReaderSession } from '#bff/http/route.ts'
import {
  type Factors,
  type FactorsChanged,
  passkeyChangeSchema,
  passkeyRegistrationSchema,
  totpConfirmationSchema,
} from '#contract/bff/factor.ts'
import type { Role } from '#contract/bff/session.ts'
import { idSchema } from '#contract/id.ts'
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

type FactorRouteDependencies = FactorDependencies & {
  sessions: SessionStore
  factorRoles: readonly Role[]
}

const CHANGE = { access: 'viewer', needsFreshProof: true } as const
const ENROLMENT = { ...CHANGE, isForEnrolment: true } as const
const ID = z.object({ id: idSchema })
const APP = 'authenticator app'

/** The second factors of one's own account. */
export function factorRoutes(deps: FactorRouteDependencies): BffRoute[] {
  const { database, secret, party } = deps

  return [
    defineRoute('GET /bff/factors', {
      access: 'viewer',
      isForEnrolment: true,
      answer: async ({ session }) => ({ json: await describeFactors(database, session, deps.factorRoles) }),
    }),
    defineRoute('POST /bff/factors/totp', {
      ...ENROLMENT,
      async answer({ session: { user } }) {
        await requirePassword(database, user.id)
        const setup = createTotpSetup(user.email)
        if (!(await insertTotp(database, user.id, sealTotp(setup.secret, user.id, secret))))
          throw conflict('Remove it first, then set up another.', 'There is an authenticator app already')
        return { status: 201, json: setup }
      },
    }),
    defineRoute('PUT /bff/factors/totp', {
      ...ENROLMENT,
      body: totpConfirmationSchema,
      async answer({ body: { code }, ...context }) {
        const { id } = context.session.user
        const json = await changeFactors(deps, context, async (tx) => {
          const stored = await findTotp(tx, id)
          const totpSecret = stored && !stored.isConfirmed && openTotp(stored.sealedSecret, id, secret)
          if (!totpSecret) throw conflict('Begin again: scan a new code with your app.')
          const step = findTotpStep(totpSecret, code)
          if (step === null || !(await spendTotpStep(tx, id, step))) throw wrongCode()
          await confirmTotp(tx, id)
          return { action: 'factor-added', after: { factor: APP } }
        })
        return { json }
      },
    }),
    defineRoute('DELETE /bff/factors/totp', {
      ...CHANGE,
      async answer(context) {
        const { id, user } = context.session
        const json = await changeFactors(deps, context, async (tx) => {
          if (!(await deleteTotp(tx, user.id))) throw gone()
          if (!(await spendFactorProof(tx, id))) throw factorProofNeeded()
          return { action: 'factor-removed', before: { factor: APP } }
        })
        return { json }
      },
    }),
    defineRoute('POST /bff/factors/passkeys/options', {
      ...ENROLMENT,
      async answer({ session: { id, user } }) {
        await requirePassword(database, user.id)
        const options = await passkeyCreation(party, user, await listPasskeys(database, user.id))
        await putChallenge(database, id, options.challenge)
        return { json: options }
      },
    }),
    defineRoute('POST /bff/factors/passkeys', {
      ...ENROLMENT,
      body: passkeyRegistrationSchema,
      async answer({ body: { name, passkey }, ...context }) {
        const { id, user } = context.session
        const challenge = await takeChallenge(database, id)
        const made = challenge === null ? null : await readNewPasskey(party, challenge, passkey)
        if (!made) throw notMadeHere()
        const json = await changeFactors(deps, context, async (tx) => {
          if (!(await insertPasskey(tx, user.id, { ...made, name }))) throw notMadeHere()
          return { action: 'factor-added', after: { factor: 'passkey', name } }
        })
        return { status: 201, json }
      },
    }),
    defineRoute('PUT /bff/factors/passkeys/:id', {
      ...CHANGE,
      params: ID,
      body: passkeyChangeSchema,
      async answer({ params: { id }, body: { name }, ...context }) {
        const json = await changeFactors(deps, context, async (tx) => {
          const before = await renamePasskey(tx, context.session.user.id, id, name)
          if (before === null) throw gone()
          return { action: 'factor-changed', before: { name: before }, after: { name } }
        })
        return { json }
      },
    }),
    defineRoute('DELETE /bff/factors/passkeys/:id', {
      ...CHANGE,
      params: ID,
      async answer({ params: { id }, ...context }) {
        const { session } = context
        const json = await changeFactors(deps, context, async (tx) => {
          const name = await deletePasskey(tx, session.user.id, id)
          if (name === null) throw gone()
          if (!(await spendFactorProof(tx, session.id))) throw factorProofNeeded()
          return { action: 'factor-removed', before: { factor: 'passkey', name } }
        })
        return { json }
      },
    }),
    defineRoute('POST /bff/factors/recovery-codes', {
      ...CHANGE,
      async answer(context) {
        const json = await changeFactors(deps, context, async () => ({ action: 'recovery-codes-made' }))
        return { status: 201, json }
      },
    }),
  ]
}

async function describeFactors(
  db: Database,
  { user }: ReaderSession,
  factorRoles: readonly Role[],
): Promise<Factors> {
  return { ...(await readFactors(db, user.id)), isRequired: factorRoles.includes(user.role) }
}

/** Makes changes of an account's factors one at a time. The first factor comes with recovery codes. */
async function changeFactors(
  { database, sessions, factorRoles }: FactorRouteDependencies,
  context: ChangeContext,
  run: (tx: Database) => Promise<AuditedAction>,
): Promise<FactorsChanged> {
  const { session } = context
  const { id: accountId, email } = session.user
  const changed = await makeChange(
    database,
    context,
    'viewer',
    async (tx, record) => {
      const had = await describeFactors(tx, session, factorRoles)
      const change = await run(tx)
      await record({ ...change, object: accountId, objectName: email })
      const factors = await describeFactors(tx, session, factorRoles)
      const isLast = factors.totp === null && factors.passkeys.length === 0
      if (isLast && factors.isRequired)
        throw conflict('Add another one first, then remove this one.', 'Your role needs a second factor')
      if (isLast) await deleteFactors(tx, accountId)
      if (!isLast && had.totp === null && had.passkeys.length === 0)
        await endPasswordProofs(tx, session.id, accountId)
      const isFirst = !isLast && factors.recoveryCodes === 0 && change.action === 'factor-added'
      const recoveryCodes =
        isFirst || change.action === 'recovery-codes-made' ? await renewCodes(tx, accountId) : null
      return { factors: await describeFactors(tx, session, factorRoles), recoveryCodes }
    },
    (tx) => lockFactors(tx, accountId),
  )
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

async function requirePassword(db: Database, accountId: string): Promise<void> {
  const { hasPassword } = await readFactors(db, accountId)
  if (hasPassword) return
  throw conflict(
    'Its second factor is a matter of your identity provider: set it up there.',
    'This account signs in by single sign-on',
  )
}

function wrongCode(): ProblemError {
  const reason =
    'This is not the code that the app shows now. Enter the newest one; if it stays so, check the clock of the device.'
  return new ProblemError({
    code: 'bad_request',
    detail: 'Check the field named here.',
    fields: [{ name: 'code', reason }],
  })
}

function factorProofNeeded(): ProblemError {
  return new ProblemError({
    code: 'fresh_proof_needed',
    detail: 'To remove a second factor, confirm with one of your second factors, then try again.',
  })
}

function gone(): ProblemError {
  return notFound('It has been removed already. Reload the page.')
}

function notMadeHere(): ProblemError {
  return conflict(
    'It took longer than 5 minutes, or it was not made for this Lantern. Begin again.',
    'The passkey was not added',
  )
}
