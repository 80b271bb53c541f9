import { expect, test } from 'vitest'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { startProfiles } from '#test/support/profiles/start-profiles.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { sendWaiting } from './send-waiting.ts'

const SECRET = 'secret-of-the-tests'
const DAILY = { schedule: { kind: 'daily', hour: 8 } }

/** Profiles of a dashboard, and a time of one's own at which what waits is sent. */
async function startWaiting() {
  const database = await takeDatabase('bff')
  const started = await startProfiles(database, { sending: 0 })
  const failures: string[] = []
  const log = {
    info() {},
    warn() {},
    error: (event: string, error: unknown) => void failures.push(`${event}: ${error}`),
  }
  const sendAt = async (at: string | Date, db = database) =>
    sendWaiting(db, {
      log,
      secret: SECRET,
      hasEmail: false,
      origin: 'https://lantern.example',
      runningMs: HOUR_MS,
      readShift: () => Promise.reject(new Error('Nobody sends Shift')),
      access: { secret: SECRET, readNow: async () => new Date(at) },
    })
  return {
    ...started,
    database,
    sendAt,
    failures,
    /** Some days after the next digest of the only profile is due, as late as it waits for the vendor's list to be read. */
    async due(days = 0): Promise<Date> {
      const [profile] = await started.listed()
      return new Date(Date.parse(profile?.nextDigestAt ?? '') + (days * 24 + 1 / 4) * HOUR_MS)
    },
    /** Ids of the threats that a digest's link shows. */
    async shownBy(digest: object | undefined): Promise<string[]> {
      const { search } = new URL(Object(digest).link)
      const { threats } = threatListSchema.parse(
        await (await started.ask(`/bff/threats${search}&timeZone=UTC`)).json(),
      )
      return threats.map(({ id }) => id)
    },
    async rows(kind: 'digest' | 'matches' = 'digest'): Promise<object[]> {
      const { rows } = await database.query(
        kind === 'digest'
          ? `select content from delivery where kind = 'digest' order by created_at`
          : `select event from delivery_match where delivery_id is null order by id`,
      )
      return rows.map((row) => Object(kind === 'digest' ? Object(row).content : row))
    },
  }
}

test('two processes send the waiting matches of a digest profile in one digest', async () => {
  const { create, publish, sendAt, due, rows } = await startWaiting()
  await create(undefined, { name: 'Daily', ...DAILY })
  await publish({ id: 'one', risk_level: 'critical' }, { id: 'two', risk_level: 'low' })
  expect(await rows('matches')).toEqual([])
  const at = await due()
  await sendAt(new Date(at.getTime() - 1_000))
  expect(await rows()).toEqual([])
  await Promise.all([sendAt(at), sendAt(at)])
  await sendAt(at)
  expect(await rows()).toMatchObject([
    {
      causes: [{ name: 'Daily' }],
      count: 2,
      previousCount: null,
      until: at.toISOString(),
      severities: [
        { severity: 'critical', count: 1 },
        { severity: 'low', count: 1 },
      ],
      threats: [{ id: 'one' }, { id: 'two' }],
      link: 'https://lantern.example/threats?q=id%3Aone%2Ctwo',
    },
  ])
})

test('a digest that is rolled back is written by the next process', async () => {
  const { create, publish, sendAt, due, rows, database } = await startWaiting()
  await create(undefined, DAILY)
  await publish({ id: 'one' })
  const at = await due()
  const broken = {
    ...database,
    query: database.query.bind(database),
    transaction: (run: Parameters<typeof database.transaction>[0]) =>
      database.transaction(async (tx) => {
        await run(tx)
        throw new Error('killed before the commit')
      }),
  }
  await sendAt(at, Object.assign(Object.create(database), broken))
  expect(await rows()).toEqual([])
  await sendAt(new Date(at.getTime() + 2_000))
  await sendAt(new Date(at.getTime() + 2_000))
  expect(await rows()).toMatchObject([{ count: 1 }])
})

test('a failing digest delays no other profile, is logged once and retried with longer pauses', async () => {
  const { create, publish, sendAt, due, rows, database, failures, close } = await startWaiting()
  await create(undefined, DAILY)
  await publish({ id: 'one' })
  const at = await due()
  // For the process that leads, no digest is due yet.
  await close()
  // Its turn is the first.
  await database.query(
    `insert into alert_profile (id, account_id, name, filter, time_zone, is_shared, schedule, digest_due, shift_schedule)
     select '00000000-0000-4000-8000-000000000000', account_id, 'Shift', filter, time_zone, is_shared,
            '{"kind": "atOnce", "quiet": null}', digest_due, schedule from alert_profile`,
  )
  const tries: number[] = []
  const retryAt = async () =>
    String(
      (await database.query('select retry_at::text as at from alert_fault')).rows.map(
        (row) => Object(row).at,
      ),
    )
  for (let second = 0, before = ''; second < 100; second++) {
    await sendAt(new Date(at.getTime() + second * 1_000))
    const now = await retryAt()
    if (now !== before) tries.push(second)
    before = now
  }
  expect(tries).toEqual([0, 2, 4, 8, 16, 32, 64])
  expect(await rows()).toMatchObject([{ count: 1, threats: [{ id: 'one' }] }])
  expect(failures).toEqual(['alert-profile-not-sent: Error: Nobody sends Shift'])
})

test('an outage of three days gives one digest, and so does a day without matches', async () => {
  const { create, sendAt, due, rows } = await startWaiting()
  await create(undefined, DAILY)
  const [late, next] = [await due(3), await due(4)]
  await sendAt(late)
  await sendAt(next)
  expect(await rows()).toMatchObject([
    { count: 0, until: late.toISOString() },
    { count: 0, since: late.toISOString(), until: next.toISOString() },
  ])
})

test('waiting matches follow a changed schedule, and a paused profile sends no digest', async () => {
  const { ask, create, publish, sendAt, due, rows } = await startWaiting()
  const { profile } = await create(undefined, { schedule: { kind: 'weekly', weekday: 1, hour: 8 } })
  await publish({ id: 'one' })
  const change = async (body: object) =>
    expect((await ask(`/bff/alert-profiles/${profile.id}`, { method: 'PUT', body })).status).toBe(200)
  await change({ state: 'paused' })
  await sendAt(await due(8))
  expect(await rows()).toEqual([])
  await change({ state: 'active', ...DAILY })
  await sendAt(await due())
  expect(await rows()).toMatchObject([{ count: 1, threats: [{ id: 'one' }] }])
  await publish({ id: 'two' })
  await change({ schedule: { kind: 'atOnce', quiet: null } })
  await sendAt(new Date())
  expect(await rows('matches')).toMatchObject([{ event: expect.stringMatching(/:two$/) }])
})

test('matches of quiet hours wait for their end; a critical one goes at once where that is chosen', async () => {
  const { create, publish, sendAt, rows } = await startWaiting()
  const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString().slice(11, 16)
  const quiet = { from: at(-2), to: at(3), isCriticalAtOnce: true }
  await create(undefined, { schedule: { kind: 'atOnce', quiet } })
  await publish({ id: 'low', risk_level: 'low' }, { id: 'critical', risk_level: 'critical' })
  await sendAt(new Date())
  expect(await rows('matches')).toEqual([{ event: 'threat:critical' }])
  await sendAt(new Date(Date.now() + 4 * HOUR_MS))
  expect(await rows('matches')).toEqual([{ event: 'threat:critical' }, { event: 'threat:low' }])
})

test('a digest leaves out what was muted, also since it waits, and says how many matches that were', async () => {
  const { ask, create, publish, sendAt, due, rows, shownBy } = await startWaiting()
  const { profile } = await create(undefined, { ...DAILY, filter: { q: 'northwind OR okapi' } })
  const mute = (name: string) =>
    ask(`/bff/alert-profiles/${profile.id}/mutes`, {
      body: { kind: 'victim', name, days: 90, reason: 'A test company' },
    })
  const of = (organization: string) => ({
    victims: { countries: [], industries: [], domains: [], organizations: [organization] },
  })
  await publish({ id: 'waits', ...of('Okapi Ltd') }, { id: 'other', ...of('Tapir') })
  expect((await mute('okapi ltd')).status).toBe(201)
  await publish({ id: 'comes', ...of('Okapi Ltd'), risk_level: 'critical' })
  await sendAt(await due())
  const [digest] = await rows()
  expect(digest).toMatchObject({ count: 1, threats: [{ id: 'other' }], mutedCount: 2, isLinkExact: true })
  expect(await shownBy(digest)).toEqual(['other'])
  const next = await due()
  expect((await mute('Tapir')).status).toBe(201)
  await publish({ id: 'last', ...of('Tapir') })
  await sendAt(next)
  expect((await rows()).at(-1)).toMatchObject({ count: 0 })
})

test('the link of a digest shows its threats and no others, or the digest says that it can', async () => {
  const { ask, database, create, publish, sendAt, due, rows, shownBy } = await startWaiting()
  await create(undefined, DAILY)
  // One has no date, and all but one of the profile's matches are older.
  await publish({ id: 'one' }, { id: 'a "quoted" id', published_at: undefined })
  await sendAt(await due())
  const [exact] = await rows()
  expect(exact).toMatchObject({ count: 2, isLinkExact: true })
  expect((await shownBy(exact)).toSorted()).toEqual(['a "quoted" id', 'one'])

  const few = Array.from({ length: 41 }, (_, at) => ({ id: `few-${at}` }))
  await publish(...few)
  await database.query(
    `update case_claim set case_id = (select case_id from case_claim where threat_id = 'few-0')
      where threat_id in ('few-1', 'few-2')`,
  )
  await sendAt(await due())
  const joined = (await rows()).at(-1)
  expect(joined).toMatchObject({ count: 41, cases: { count: 39 }, isLinkExact: true })
  const { search } = new URL(Object(joined).link)
  const shown = await ask(`/bff/threats${search}&timeZone=UTC&rows=cases`)
  expect(threatListSchema.parse(await shown.json()).cases).toBe(39)

  const many = Array.from({ length: 41 }, (_, at) => ({ id: `many-${at}` }))
  await publish(...many)
  await sendAt(await due())
  const about = (await rows()).at(-1)
  expect(about).toMatchObject({ count: 41, isLinkExact: false })
  expect(await shownBy(about)).toEqual(expect.arrayContaining(many.map(({ id }) => id)))
})

test('a digest counts cases as the feed of its link does, and has an entry for each', async () => {
  const { ask, create, publish, sendAt, due, rows } = await startWaiting()
  await create(undefined, { name: 'Daily', ...DAILY })
  const victims = { countries: [], industries: [], organizations: ['Okapi Ltd'], domains: ['okapi.example'] }
  const owl = { victims, threat_actors: ['Night Owl'] }
  await publish({ id: 'first', victims, risk_level: 'critical' })
  await publish({ id: 'repost', victims, risk_level: 'low' })
  await publish({ id: 'owl', ...owl, risk_level: 'low' })
  await publish({ id: 'tapir', risk_level: 'high' })
  await sendAt(await due())
  const [digest] = await rows()
  expect(digest).toMatchObject({
    count: 3,
    repeatedCount: 1,
    threats: [{ id: 'first' }, { id: 'tapir' }, { id: 'owl', news: 'also claimed by Night Owl' }],
    cases: {
      count: 2,
      previousCount: null,
      severities: [
        { severity: 'critical', count: 1 },
        { severity: 'high', count: 1 },
      ],
      newest: [
        { id: 'owl', severity: 'critical', claimCount: 2 },
        { id: 'tapir', severity: 'high', claimCount: 1 },
      ],
    },
  })
  const { search } = new URL(Object(digest).link)
  const shown = await ask(`/bff/threats${search}&timeZone=UTC&rows=cases`)
  expect(threatListSchema.parse(await shown.json())).toMatchObject({ cases: 2, total: 3 })
})

test('a digest compares its cases with those of as long a time before', async () => {
  const { create, publish, sendAt, due, rows, database } = await startWaiting()
  await create(undefined, DAILY)
  await publish({ id: 'joined' }, { id: 'with it' }, { id: 'alone' })
  await database.query(
    `update case_claim set case_id = (select case_id from case_claim where threat_id = 'joined')
      where threat_id = 'with it'`,
  )
  const at = await due()
  await database.query(`update alert_profile set created_at = now() - interval '9 days', digest_since = $1`, [
    new Date(at.getTime() - 25 * HOUR_MS),
  ])
  await sendAt(at)
  await database.query('update alert_match set at = $1', [new Date(at.getTime() - HOUR_MS)])
  await sendAt(await due())
  expect(await rows()).toMatchObject([
    { count: 3, previousCount: 0, cases: { count: 2, previousCount: 0 } },
    { count: 0, previousCount: 3, cases: { count: 0, previousCount: 2 } },
  ])
})
