import { generateSync } from 'otplib'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createToken, hashToken } from '#bff/http/token.ts'
import type { Database } from '#database/database.ts'
import { ADMIN, createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { codeOf, enrolTotp } from '#test/support/enrol-totp.ts'
import { withDatabase } from '#test/support/with-database.ts'

const STEP_PATH = '/bff/sign-in/second-step'
const CODE = { step: { kind: 'factor', hasTotp: true, hasPasskeys: false } }

async function countSessions(database: Database): Promise<number> {
  return (await database.query('select from session')).rowCount
}

async function readActions(database: Database): Promise<string[]> {
  const { rows } = await database.query('select action from audit_event order by id')
  return z
    .array(z.object({ action: z.string() }))
    .parse(rows)
    .map(({ action }) => action)
}

test(
  'a password alone opens nothing where there is a second factor, and a code after it signs in',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database)
    await bff.signIn()
    const { secret } = await enrolTotp(bff)

    const browser = bff.createBrowser()
    const signedIn = await browser.signIn()
    expect(await signedIn.json()).toEqual(CODE)
    expect(browser.cookies.has('lantern_sid')).toBe(false)
    expect(await (await browser.ask('/bff/sign-in/options')).json()).toMatchObject({ hasSession: false })
    expect(await (await browser.ask('/sign-in')).text()).toContain('Code of your authenticator app')
    // The half-session's token is no session's, in whichever cookie it comes.
    const step = browser.cookies.get('lantern_step') ?? ''
    browser.cookies.set('lantern_sid', step)
    for (const path of ['/bff/profile', '/bff/factors', '/bff/sessions', '/bff/users']) {
      expect((await browser.ask(path)).status).toBe(401)
    }
    expect(await browser.readSession()).toBeNull()

    const finished = await browser.ask(STEP_PATH, { body: { code: codeOf(secret, 30) } })
    expect(await finished.json()).toMatchObject({ user: { email: ADMIN.email } })
    expect(await browser.readSession()).not.toBeNull()
    expect(browser.cookies.has('lantern_step')).toBe(false)
  }),
)

test(
  'a code that was used is refused within its window, by the next sign-in as by the same',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database)
    await bff.signIn()
    const { secret } = await enrolTotp(bff)
    const code = codeOf(secret, 30)
    const [first, second] = [bff.createBrowser(), bff.createBrowser()]
    await first.signIn()
    await second.signIn()
    expect((await first.ask(STEP_PATH, { body: { code } })).status).toBe(200)

    const problem = await readProblem(await second.ask(STEP_PATH, { body: { code } }))
    expect(problem).toMatchObject({ code: 'sign_in_failed', detail: expect.stringContaining('used before') })
    // An earlier one of the window neither: the code that set the app up.
    expect((await second.ask(STEP_PATH, { body: { code: codeOf(secret, 0) } })).status).toBe(401)
    expect(await second.readSession()).toBeNull()
    expect(await readActions(database)).toContain('second-step-failed')
  }),
)

test(
  'a recovery code signs in once, also with ten simultaneous requests',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database)
    await bff.signIn()
    const { recoveryCodes } = await enrolTotp(bff)
    expect(new Set(recoveryCodes).size).toBe(10)
    const { rows } = await database.query('select encode(code_hash, $1) as hash from recovery_code', [
      'escape',
    ])
    expect(JSON.stringify(rows)).not.toContain(recoveryCodes[0])

    const browsers = await openSteps(database, bff, 10)
    const before = await countSessions(database)
    const [recoveryCode = '', another = ''] = recoveryCodes
    const answers = await Promise.all(
      browsers.map((browser) => browser.ask(STEP_PATH, { body: { recoveryCode } })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await countSessions(database)).toBe(before + 1)

    const later = bff.createBrowser()
    await later.signIn()
    const typed = another.toUpperCase().replaceAll('-', ' ')
    await database.query('delete from sign_in_attempt')
    expect((await later.ask(STEP_PATH, { body: { recoveryCode } })).status).toBe(401)
    expect((await later.ask(STEP_PATH, { body: { recoveryCode: typed } })).status).toBe(200)
  }),
)

test(
  'one sign-in with ten simultaneous requests for one code opens one session',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database)
    await bff.signIn()
    const { secret, recoveryCodes } = await enrolTotp(bff)
    for (const body of [{ code: codeOf(secret, 30) }, { recoveryCode: recoveryCodes[0] }]) {
      await database.query('delete from sign_in_attempt')
      const browser = bff.createBrowser()
      await browser.signIn()
      const before = await countSessions(database)
      const cookie = `lantern_step=${browser.cookies.get('lantern_step')}`
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => browser.ask(STEP_PATH, { body, headers: { cookie } })),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await countSessions(database)).toBe(before + 1)
    }
  }),
)

test(
  'codes are guessed as rarely as passwords, and a wait says how long it is',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database)
    await bff.signIn()
    const { secret } = await enrolTotp(bff)
    const stranger = bff.createBrowser()
    await stranger.signIn()
    const tries: number[] = []
    for (let round = 0; round < 8; round += 1) {
      tries.push((await stranger.ask(STEP_PATH, { body: { code: wrongCode(secret) } })).status)
    }
    expect(tries).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    const right = await stranger.ask(STEP_PATH, { body: { code: codeOf(secret, 30) } })
    expect(await readProblem(right)).toMatchObject({ code: 'too_many_attempts', retryAt: expect.any(String) })

    // The owner's own browser is not slowed by a stranger who knows the password.
    const { cookies } = bff
    const own = bff.createBrowser()
    own.cookies.set('lantern_device', cookies.get('lantern_device') ?? '')
    await own.signIn()
    expect((await own.ask(STEP_PATH, { body: { code: codeOf(secret, 30) } })).status).toBe(200)
  }),
)

test(
  'a half-session is over after five minutes, and when the password changes or all sessions are ended',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database)
    await bff.signIn()
    const { secret } = await enrolTotp(bff)
    const browser = bff.createBrowser()
    const tryCode = async () => {
      const problem = await readProblem(await browser.ask(STEP_PATH, { body: { code: codeOf(secret, 30) } }))
      return problem.title
    }

    await browser.signIn()
    await database.query(`update sign_in_step set expires_at = now() - interval '1 second'`)
    expect(await tryCode()).toBe('This took longer than 5 minutes')

    await browser.signIn()
    await bff.ask('/bff/sessions/end-others', { method: 'POST' })
    expect(await tryCode()).toBe('This took longer than 5 minutes')

    await browser.signIn()
    const body = { current: ADMIN.password, password: 'entirely different words' }
    expect((await bff.ask('/bff/profile/password', { method: 'PUT', body })).status).toBe(204)
    expect(await tryCode()).toBe('This took longer than 5 minutes')
  }),
)

test(
  'a secret is sealed for its own account, and says so when SECRET has changed',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database)
    await bff.signIn()
    const { secret } = await enrolTotp(bff)
    const { rows } = await database.query(`select encode(sealed_secret, 'escape') as text from totp_factor`)
    expect(JSON.stringify(rows)).not.toContain(secret)

    const other = await createTestBff(database, { secret: 'another-secret-of-the-tests-and-long' })
    await other.signIn()
    const problem = await readProblem(await other.ask(STEP_PATH, { body: { code: codeOf(secret, 30) } }))
    expect(problem.title).toBe('Codes of your app cannot be checked')
  }),
)

/** Browsers whose password was right; none of them slows another. */
async function openSteps(database: Database, bff: Awaited<ReturnType<typeof createTestBff>>, count: number) {
  const browsers = Array.from({ length: count }, () => bff.createBrowser())
  for (const browser of browsers) {
    const token = createToken()
    browser.cookies.set('lantern_step', token)
    await database.query(
      `insert into sign_in_step (token_hash, account_id, is_known_device, expires_at)
       select $1, id, true, now() + interval '5 minutes' from account`,
      [hashToken(token)],
    )
  }
  return browsers
}

/** Six digits that no step near now has. */
function wrongCode(secret: string): string {
  const near = [-60, -30, 0, 30, 60].map((seconds) => codeOf(secret, seconds))
  const code = generateSync({ secret, epoch: 1 })
  return near.includes(code) ? '000000' : code
}
