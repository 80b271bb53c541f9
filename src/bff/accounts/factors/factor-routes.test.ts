import { expect, test } from 'vitest'
import { factorsChangedSchema, factorsSchema } from '#contract/bff/factor.ts'
import { userListSchema } from '#contract/bff/user.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { ADMIN, createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { codeOf, enrolTotp } from '#test/support/enrol-totp.ts'
import { countWaiting } from '#test/support/hold-sign-ins.ts'
import { withDatabase } from '#test/support/with-database.ts'

const TOTP_PATH = '/bff/factors/totp'
const STEP_PATH = '/bff/sign-in/second-step'
const BOB = { email: 'bob@example.com', password: ADMIN.password }
const ENROL = { step: { kind: 'enrol', hasTotp: false, hasPasskeys: false } }
const ADD_BOB = `insert into account (email, name, role, password_hash)
  select '${BOB.email}', 'bob', 'analyst', password_hash from account`

test(
  'an app is active after its first code; its recovery codes can be renewed, and end with it',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database)
    const { ask } = bff
    await bff.signIn()
    await ask(TOTP_PATH, { method: 'POST' })
    const wrong = await ask(TOTP_PATH, { method: 'PUT', body: { code: '12345' } })
    expect(await readProblem(wrong)).toMatchObject({ fields: [{ name: 'code' }] })
    // Begun, not confirmed: nobody is locked out by a code that was never scanned.
    expect(await (await bff.createBrowser().signIn()).json()).toHaveProperty('user')

    const { recoveryCodes } = await enrolTotp(bff)
    expect(recoveryCodes).toHaveLength(10)
    const read = async () => factorsSchema.parse(await (await ask('/bff/factors')).json())
    expect(await read()).toMatchObject({ totp: {}, recoveryCodes: 10, isRequired: false, hasPassword: true })
    expect((await ask(TOTP_PATH, { method: 'POST' })).status).toBe(409)

    const renewed = factorsChangedSchema.parse(
      await (await ask('/bff/factors/recovery-codes', { method: 'POST' })).json(),
    )
    expect(renewed.recoveryCodes).toHaveLength(10)
    const browser = bff.createBrowser()
    await browser.signIn()
    expect((await browser.ask(STEP_PATH, { body: { recoveryCode: recoveryCodes[0] } })).status).toBe(401)
    const recoveryCode = renewed.recoveryCodes?.[0]
    expect((await browser.ask(STEP_PATH, { body: { recoveryCode } })).status).toBe(200)
    expect(await read()).toMatchObject({ recoveryCodes: 9 })

    const proof = { recoveryCode: renewed.recoveryCodes?.[1] }
    expect((await ask('/bff/proof', { body: proof })).status).toBe(204)
    expect((await ask(TOTP_PATH, { method: 'DELETE' })).status).toBe(200)
    expect(await read()).toMatchObject({ totp: null, recoveryCodes: 0 })
    expect(await (await bff.createBrowser().signIn()).json()).toHaveProperty('user')
  }),
)

test(
  'a role that requires a second factor must set one up before any other access',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database, { factorRoles: ['analyst'] })
    await bff.signIn()
    await database.query(ADD_BOB)
    const bob = bff.createBrowser()
    const readStep = async () => (await bob.ask('/sign-in')).headers.get('location')

    expect(await (await bob.signIn(BOB)).json()).toEqual(ENROL)
    expect(await readStep()).toBe('/sign-in/second-factor')
    expect(await (await bob.ask('/bff/sign-in/options')).json()).toMatchObject({ hasSession: false })
    expect(await bob.readSession()).toBeNull()
    const open = ['/bff/factors', TOTP_PATH, '/bff/factors/passkeys', '/bff/factors/passkeys/options']
    const closed = bff.table.filter(
      ({ access, path }) => access !== 'public' && !open.includes(path) && !/proof|sign-out$/.test(path),
    )
    expect(closed.length).toBeGreaterThan(10)
    for (const { method, path } of closed) {
      const answer = await bob.ask(path.replace(':id', '00000000-0000-4000-8000-000000000001'), { method })
      expect([method, path, answer.status]).toEqual([method, path, 403])
    }
    expect(await readProblem(await bob.ask('/bff/profile'))).toMatchObject({
      title: 'A second factor is needed',
    })

    const { secret, recoveryCodes } = await enrolTotp(bob)
    expect(await bob.readSession()).toMatchObject({ user: { email: BOB.email } })
    expect((await bob.ask('/bff/profile')).status).toBe(200)
    // Nor can it be taken off again.
    expect((await bob.ask('/bff/proof', { body: { recoveryCode: recoveryCodes[0] } })).status).toBe(204)
    expect(await readProblem(await bob.ask(TOTP_PATH, { method: 'DELETE' }))).toMatchObject({
      status: 409,
      title: 'Your role needs a second factor',
    })
    const later = bff.createBrowser()
    await later.signIn(BOB)
    expect((await later.ask(STEP_PATH, { body: { code: codeOf(secret, 30) } })).status).toBe(200)
    // Roles that the setting does not name need none.
    expect(await bff.readSession()).toMatchObject({ user: { role: 'admin' } })
  }),
)

/** An admin beside Bob, who has an authenticator app and is signed in. */
async function enrolBob(database: OpenDatabase) {
  const bff = await createTestBff(database)
  await bff.signIn()
  await database.query(ADD_BOB)
  const bob = bff.createBrowser()
  await bob.signIn(BOB)
  const { secret } = await enrolTotp(bob)
  const { users } = userListSchema.parse(await (await bff.ask('/bff/users')).json())
  return { bff, bob, users, id: users.find(({ email }) => email === BOB.email)?.id, secret }
}

test(
  'an admin who resets a user’s factors ends the sessions, and the audit log records it',
  withDatabase('bff', async (database) => {
    const { bff, bob, users, id } = await enrolBob(database)
    expect(users.map(({ hasSecondFactor }) => hasSecondFactor)).toEqual([false, true])

    const reset = () => bff.ask(`/bff/users/${id}/reset-factors`, { method: 'POST' })
    expect(await (await reset()).json()).toMatchObject({ user: { hasSecondFactor: false, sessions: 0 } })
    expect(await bob.readSession()).toBeNull()
    expect(await (await bob.signIn(BOB)).json()).toHaveProperty('user')
    const { rows } = await database.query(
      `select object_name from audit_event where action = 'user-factors-reset'`,
    )
    expect(rows).toEqual([{ object_name: BOB.email }])

    expect(await readProblem(await reset())).toMatchObject({ status: 409 })
    const own = users.find(({ email }) => email === ADMIN.email)?.id
    expect((await bff.ask(`/bff/users/${own}/reset-factors`, { method: 'POST' })).status).toBe(409)
    expect((await bob.ask(`/bff/users/${own}/reset-factors`, { method: 'POST' })).status).toBe(403)
  }),
)

test(
  'a reset also deletes a factor that the user adds meanwhile',
  withDatabase('bff', async (database) => {
    const { bff, bob, id } = await enrolBob(database)
    await database.query(`
      create function wait_for_release() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(1);
        return null;
      end
      $$;
      create trigger held before insert on recovery_code for each statement execute function wait_for_release()`)
    const holder = await database.pool.connect()
    await holder.query('select pg_advisory_lock(1)')

    const adding = bob.ask('/bff/factors/recovery-codes', { method: 'POST' })
    await expect.poll(() => countWaiting(database)).toBe(1)
    const resetting = bff.ask(`/bff/users/${id}/reset-factors`, { method: 'POST' })
    await expect.poll(() => countWaiting(database)).toBe(2)
    holder.release(true)

    expect([(await adding).status, (await resetting).status]).toEqual([201, 200])
    expect((await database.query('select from recovery_code')).rowCount).toBe(0)
  }),
)

test(
  'a link that sets a password does not replace the second factor',
  withDatabase('bff', async (database) => {
    const { bff, bob, id, secret } = await enrolBob(database)
    const { link } = await (await bff.ask(`/bff/users/${id}/link`, { method: 'POST' })).json()
    const token = new URL(link.url).hash.replace('#password=', '')

    const thief = bff.createBrowser()
    const set = await thief.ask('/bff/sign-in/password-link', {
      body: { token, password: 'entirely different words' },
    })
    expect(await set.json()).toMatchObject({ step: { kind: 'factor' } })
    expect(await thief.readSession()).toBeNull()
    expect(await bob.readSession()).toBeNull()
    expect((await thief.ask(STEP_PATH, { body: { code: codeOf(secret, 30) } })).status).toBe(200)
  }),
)
