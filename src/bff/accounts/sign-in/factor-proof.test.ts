import { expect, test } from 'vitest'
import { ADMIN, createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { codeOf, enrolTotp } from '#test/support/enrol-totp.ts'
import { openSingleSignOn } from '#test/support/open-single-sign-on.ts'
import { withDatabase } from '#test/support/with-database.ts'

const TOTP_PATH = '/bff/factors/totp'
const OLD = `update session set proved_at = now() - interval '601 seconds'`
const ADD_LINK = `insert into sign_in_link (token_hash, account_id, expires_at)
  select sha256($1), id, now() + interval '1 minute' from account where email = $2`

test(
  'where an account has a second factor its password is no fresh proof, and costs no attempt',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database)
    const { ask } = bff
    await bff.signIn()
    const { recoveryCodes } = await enrolTotp(bff)
    await database.query(OLD)
    const invite = () => ask('/bff/users', { body: { email: 'bob@example.com', role: 'viewer' } })
    for (let round = 0; round < 7; round += 1) {
      const problem = await readProblem(await ask('/bff/proof', { body: { password: ADMIN.password } }))
      expect(problem.fields).toEqual([
        { name: 'password', reason: expect.stringContaining('has a second factor') },
      ])
    }
    expect((await readProblem(await invite())).code).toBe('fresh_proof_needed')

    const proof = { recoveryCode: recoveryCodes[0] }
    expect((await ask('/bff/proof', { body: proof })).status).toBe(204)
    expect((await invite()).status).toBe(201)
    expect((await ask('/bff/proof', { body: proof })).status).toBe(400)
    const { rowCount } = await database.query(`select from audit_event where action = 'recovery-code-used'`)
    expect(rowCount).toBe(1)
  }),
)

test(
  'the first factor ends the password proofs of other sessions, and proves its own',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database)
    await bff.signIn()
    const other = bff.createBrowser()
    await other.signIn()
    const body = { email: 'bob@example.com', role: 'viewer' }
    await enrolTotp(bff)
    expect((await readProblem(await other.ask('/bff/users', { body }))).code).toBe('fresh_proof_needed')
    expect((await bff.ask('/bff/users', { body })).status).toBe(201)
  }),
)

test(
  'a sign-in by a link is no fresh proof of an account that has a second factor',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database)
    const body = { email: 'bob@example.com', role: 'viewer' }
    const statuses = []
    for (const token of ['a', 'b'].map((letter) => letter.repeat(43))) {
      await database.query(ADD_LINK, [token, ADMIN.email])
      expect((await bff.ask('/bff/sign-in/link', { body: { token } })).status).toBe(200)
      statuses.push((await bff.ask('/bff/users', { body })).status)
      if (statuses.length === 1) await enrolTotp(bff)
    }
    expect(statuses).toEqual([201, 403])
  }),
)

test('a sign-in by the provider is no fresh proof of an account that has a second factor', async () => {
  const bff = await openSingleSignOn()
  await bff.signIn()
  expect((await bff.linkAs(bff)).status).toBe(200)
  await enrolTotp(bff)
  const browser = bff.createBrowser()
  expect((await bff.signInAs(browser)).status).toBe(200)
  const refused = await readProblem(await browser.ask('/bff/profile/sso', { method: 'DELETE' }))
  expect(refused.code).toBe('fresh_proof_needed')
})

test(
  'each removal of a factor requires a new proof, even right after sign-in',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database)
    const { ask } = bff
    await bff.signIn()
    const { secret, recoveryCodes } = await enrolTotp(bff)
    const remove = () => ask(TOTP_PATH, { method: 'DELETE' })
    expect((await readProblem(await remove())).code).toBe('fresh_proof_needed')

    // Fresh by its factor, at the sign-in.
    const browser = bff.createBrowser()
    await browser.signIn()
    const step = { recoveryCode: recoveryCodes[0] }
    expect((await browser.ask('/bff/sign-in/second-step', { body: step })).status).toBe(200)
    const refused = await browser.ask(TOTP_PATH, { method: 'DELETE' })
    expect((await readProblem(refused)).code).toBe('fresh_proof_needed')

    expect((await ask('/bff/proof', { body: { code: codeOf(secret, 30) } })).status).toBe(204)
    expect((await remove()).status).toBe(200)
    const again = await enrolTotp(bff)
    expect((await readProblem(await remove())).code).toBe('fresh_proof_needed')
    expect((await ask('/bff/proof', { body: { recoveryCode: again.recoveryCodes[0] } })).status).toBe(204)
    await database.query(`update session set factor_proved_at = now() - interval '601 seconds'`)
    expect((await readProblem(await remove())).code).toBe('fresh_proof_needed')
  }),
)
