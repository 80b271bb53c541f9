import { expect, test } from 'vitest'
import { type ProfilePreferences, profileSchema } from '#contract/bff/profile.ts'
import { ADMIN, createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { holdWaits } from '#test/support/hold-waits.ts'
import { withDatabase } from '#test/support/with-database.ts'

const PREFERENCES: ProfilePreferences = {
  theme: 'dark',
  timeZone: 'Europe/Berlin',
  hasLetterKeys: false,
  countries: ['DE', 'FR'],
  industries: ['Healthcare'],
}
const NEW_PASSWORD = 'entirely different words'

test(
  'what a person chose follows the account to another browser',
  withDatabase('bff', async (database) => {
    const { ask, signIn, createBrowser } = await createTestBff(database)
    await signIn()
    const first = profileSchema.parse(await (await ask('/bff/profile')).json())
    expect(first).toMatchObject({ email: ADMIN.email, role: 'admin', hasPassword: true, preferences: null })

    await ask('/bff/profile', { method: 'PUT', body: { preferences: PREFERENCES } })

    const other = createBrowser()
    await other.signIn()
    expect(profileSchema.parse(await (await other.ask('/bff/profile')).json()).preferences).toEqual(
      PREFERENCES,
    )
  }),
)

test(
  'a time zone is chosen once another one is stored, or the proposed one declined',
  withDatabase('bff', async (database) => {
    const { ask, signIn } = await createTestBff(database)
    await signIn()
    const change = async (body: object) => {
      const response = await ask('/bff/profile', { method: 'PUT', body })
      return profileSchema.parse(await response.json()).hasChosenTimeZone
    }
    const inUtc = { ...PREFERENCES, timeZone: 'UTC' }
    expect(profileSchema.parse(await (await ask('/bff/profile')).json()).hasChosenTimeZone).toBe(false)
    expect(await change({ preferences: inUtc })).toBe(false)
    expect(await change({ preferences: PREFERENCES })).toBe(true)
    expect(await change({ preferences: inUtc })).toBe(true)

    await database.query('update account set has_chosen_time_zone = false')
    expect(await change({ name: 'Ada' })).toBe(false)
    expect(await change({ hasChosenTimeZone: true })).toBe(true)
    expect(await change({ name: 'Ada Example' })).toBe(true)
  }),
)

test(
  'the welcome page is offered until it is answered or skipped, whatever else changes',
  withDatabase('bff', async (database) => {
    const { ask, signIn } = await createTestBff(database)
    await signIn()
    const change = async (body: object) =>
      profileSchema.parse(await (await ask('/bff/profile', { method: 'PUT', body })).json())
    expect(await change({ preferences: PREFERENCES })).toMatchObject({ hasSeenWelcome: false })
    expect(await change({ hasSeenWelcome: true })).toMatchObject({
      hasSeenWelcome: true,
      preferences: PREFERENCES,
    })
    expect(await change({ name: 'Ada' })).toMatchObject({ hasSeenWelcome: true })
    expect((await ask('/bff/profile', { method: 'PUT', body: { hasSeenWelcome: false } })).status).toBe(400)
  }),
)

test(
  'preferences that make no sense are refused, and ones of another version read as none',
  withDatabase('bff', async (database) => {
    const { ask, signIn } = await createTestBff(database)
    await signIn()
    for (const change of [
      { timeZone: 'Mars/Olympus' },
      { countries: ['de'] },
      { theme: 'pink' },
      { role: 'admin' },
    ]) {
      const body = { preferences: { ...PREFERENCES, ...change } }
      expect((await ask('/bff/profile', { method: 'PUT', body })).status).toBe(400)
    }
    await database.query(`update account set preferences = '{"theme":"pink"}'`)
    expect(profileSchema.parse(await (await ask('/bff/profile')).json()).preferences).toBeNull()
  }),
)

test(
  'the session returns a new name, and the audit log records it',
  withDatabase('bff', async (database) => {
    const { ask, signIn, readSession } = await createTestBff(database)
    await signIn()
    await ask('/bff/profile', { method: 'PUT', body: { name: ' Ada Example ' } })

    expect(await readSession()).toMatchObject({ user: { name: 'Ada Example' } })
    const { rows } = await database.query(
      `select object_name, before, after from audit_event where action = 'profile-changed'`,
    )
    expect(rows).toEqual([
      { object_name: ADMIN.email, before: '{"name":"ada"}', after: '{"name":"Ada Example"}' },
    ])
  }),
)

test(
  'a new password ends every other session, and keeps this one under a fresh token',
  withDatabase('bff', async (database) => {
    const { ask, signIn, cookies, createBrowser, readSession } = await createTestBff(database)
    const other = createBrowser()
    await other.signIn()
    await signIn()
    const before = cookies.get('lantern_sid')

    const body = { current: ADMIN.password, password: NEW_PASSWORD }
    expect((await ask('/bff/profile/password', { method: 'PUT', body })).status).toBe(204)

    expect(cookies.get('lantern_sid')).not.toBe(before)
    expect(await readSession()).not.toBeNull()
    expect(await other.readSession()).toBeNull()
    expect((await createBrowser().signIn()).status).toBe(401)
    expect((await createBrowser().signIn({ ...ADMIN, password: NEW_PASSWORD })).status).toBe(200)
  }),
)

test(
  'a person at an open session has to know the password, and guesses it five times at most',
  withDatabase('bff', async (database) => {
    await holdWaits(database)
    const { ask, signIn, readSession } = await createTestBff(database)
    await signIn()
    const guess = (current: string, password = NEW_PASSWORD) =>
      ask('/bff/profile/password', { method: 'PUT', body: { current, password } })

    expect(await readProblem(await guess('wrong'))).toMatchObject({
      status: 400,
      fields: [{ name: 'current' }],
    })
    expect(await readProblem(await guess(ADMIN.password, 'passwordpassword'))).toMatchObject({
      fields: [{ name: 'password' }],
    })
    const statuses: number[] = []
    for (let attempt = 0; attempt < 6; attempt += 1) statuses.push((await guess('wrong')).status)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
    const { rowCount } = await database.query(
      `select from audit_event where action = 'password-change-failed'`,
    )
    expect(rowCount).toBe(6)
    expect(await readSession()).not.toBeNull()
  }),
)
