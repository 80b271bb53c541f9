import { expect, test } from 'vitest'
import { keysSchema } from '#contract/bff/key.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { ADMIN } from '#test/support/ask-bff.ts'
import { codeOf, enrolTotp } from '#test/support/enrol-totp.ts'
import { startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { startSignedIn } from '#test/support/start-signed-in.ts'
import { v1List, v1Record } from '#test/support/upstream-records.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const [FIRST, SECOND, THIRD] = ['first', 'second', 'third'].map(
  (name) => `${name}-secret-of-the-tests-with-32`,
)
const KEY = 'lk_set_by_an_admin_0001'
const NOW_MS = Date.now()
const RECORDS = Array.from({ length: 120 }, (_, at) =>
  v1Record({ id: `thr_${at}`, published_at: new Date(NOW_MS - (at + 1) * 60_000).toISOString() }),
)

/** A database whose window is filled with a key that an admin has set under the first secret. */
async function fill() {
  const database = await takeDatabase('bff')
  const standIn = await startStandInUpstream()
  standIn.play('/api/v1/threats', { json: v1List(RECORDS) })
  const start = (secret: string | undefined, options: object = {}) =>
    startSignedIn(database, {
      upstream: { url: standIn.url, kind: 'vendor' },
      ...(secret && { secret }),
      ...options,
    })
  const first = await start(FIRST)
  const set = await first.ask('/bff/keys/v1', { method: 'PUT', body: { key: KEY } })
  expect(set.status, await set.clone().text()).toBe(200)
  const list = async (process: typeof first, query = '') => {
    const answer = await process.ask(`/bff/threats${query}`)
    expect(answer.status, await answer.clone().text()).toBe(200)
    return threatListSchema.parse(await answer.json())
  }
  await expect.poll(() => list(first)).toMatchObject({ total: RECORDS.length })
  const keyOf = async (process: typeof first) =>
    keysSchema.parse(await (await process.ask('/bff/keys')).json()).keys.v1
  return { database, standIn, start, first, list, keyOf }
}

test('a SECRET is replaced without losing the key, stored threats, a cursor or a session', {
  timeout: 60_000,
}, async () => {
  const { standIn, start, first, list, keyOf } = await fill()
  const { nextCursor, threats } = await list(first)
  expect(nextCursor).not.toBeNull()
  await first.close()
  // Requests to the vendor from here on do not fill the store.
  standIn.play('/api/v1/threats', { status: 503, json: { error: 'Maintenance' } })

  const second = await start(SECOND, { secretBefore: FIRST })
  expect(second.isOtherSecret).toBe(false)
  expect(await keyOf(second)).toMatchObject({ from: 'settings', lastFour: '0001', isUnreadable: false })
  expect(await list(second)).toMatchObject({ total: RECORDS.length })
  expect((await list(second, `?cursor=${nextCursor}`)).threats.at(0)?.id).toBe(`thr_${threats.length}`)
  const { user } = Object(
    await (await second.ask('/bff/session', { headers: { cookie: first.cookie } })).json(),
  )
  expect(user.role).toBe('admin')
  await second.close()

  const third = await start(SECOND)
  expect(third.isOtherSecret).toBe(false)
  expect(await keyOf(third)).toMatchObject({ from: 'settings', isUnreadable: false })
  expect(await list(third)).toMatchObject({ total: RECORDS.length })
})

test('a SECRET is replaced without losing the codes of an app', { timeout: 60_000 }, async () => {
  const { start, first } = await fill()
  const { secret } = await enrolTotp(first)
  await first.close()
  await (await start(SECOND, { secretBefore: FIRST })).close()

  const { ask } = await start(SECOND)
  const begun = await ask('/bff/sign-in', { body: ADMIN, headers: { cookie: '' } })
  const cookie = begun.headers.getSetCookie().at(0)?.split(';').at(0) ?? ''
  const body = { code: codeOf(secret, 30) }
  const signedIn = await ask('/bff/sign-in/second-step', { body, headers: { cookie } })
  expect(signedIn.status, await signedIn.text()).toBe(200)
})

test('logs an unknown SECRET in one line, until the old one is declared lost', {
  timeout: 60_000,
}, async () => {
  const { start, first, keyOf } = await fill()
  await first.close()
  const warnings = (process: typeof first) => process.logged.filter((line) => line.includes('secret-unknown'))

  const stranger = await start(THIRD)
  expect(stranger.isOtherSecret).toBe(true)
  expect(warnings(stranger)).toHaveLength(1)
  expect(warnings(stranger).join()).toContain('SECRET_BEFORE')
  expect(warnings(stranger).join()).not.toContain(THIRD)
  expect(await keyOf(stranger)).toMatchObject({ isUnreadable: true })
  await stranger.close()

  const rejected = await start(THIRD, { secretBefore: SECOND })
  expect(rejected.isOtherSecret).toBe(true)
  await rejected.close()
  const back = await start(FIRST)
  expect(warnings(back)).toEqual([])
  expect(await keyOf(back)).toMatchObject({ isUnreadable: false })
  await back.close()

  const resigned = await start(THIRD, { isSecretBeforeLost: true })
  expect(resigned.isOtherSecret).toBe(false)
  await resigned.close()
  expect((await start(THIRD)).isOtherSecret).toBe(false)
})
