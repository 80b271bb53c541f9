import { expect, test } from 'vitest'
import { lockCases } from '#bff/store/cases/place-claims.ts'
import type { CompareNames } from '#bff/store/lists/find-pairs.ts'
import type { V1Threat } from '#contract/upstream/v1/threat.ts'
import { composeMessage } from '#delivery/compose-message.ts'
import { matchNames } from '#matcher/names/match-names.ts'
import { startProfiles } from '#test/support/profiles/start-profiles.ts'
import { V1_LIST } from '#test/support/store/start-filled.ts'
import { v1List, v1Record } from '#test/support/upstream-records.ts'
import { takeDatabase } from '#test/support/with-database.ts'

/** A dashboard whose vendor changes its records, and what was written down to be sent. */
async function startEvaluating({
  hasEmail = false,
  compareNames,
}: {
  hasEmail?: boolean
  compareNames?: CompareNames
} = {}) {
  const database = await takeDatabase('bff')
  const started = await startProfiles(database, { sending: 0, hasEmail, compareNames })
  const { records, standIn, reconcile, evaluated } = started
  return {
    ...started,
    database,
    /** The vendor has other records of these ids, and the next comparison finds them. */
    async change(...changes: (Partial<V1Threat> & { id: string })[]): Promise<void> {
      for (const change of changes) {
        const at = records.findIndex(({ id }) => id === change.id)
        records[at] = v1Record({ ...records[at], ...change })
      }
      standIn.play(V1_LIST, { json: v1List(records) })
      await reconcile()
      await evaluated()
    },
    /** The events of all matches, oldest first, each with what has changed. */
    async matches(): Promise<string[]> {
      const { rows } = await database.query(
        `select event || coalesce(' ' || (threat ->> 'change'), '') as line from delivery_match order by id`,
      )
      return rows.map((row) => String(Object(row).line))
    },
  }
}

const REDACTED = { title: 'A victim', summary: 'Not named.', victims: undefined, threat_actors: [] }
const named = (organization: string) => ({
  countries: [],
  industries: [],
  domains: [],
  organizations: [organization],
})

test('a record that becomes a match is sent once with its change, and again when critical', async () => {
  const { create, publish, change, matches } = await startEvaluating()
  await create(undefined, { filter: { q: 'okapi' } })
  await publish({ id: 'one', ...REDACTED }, { id: 'two', ...REDACTED })
  expect(await matches()).toEqual([])
  await change({ id: 'one', victims: named('Okapi Ltd') })
  expect(await matches()).toEqual(['threat:one Victim named: Okapi Ltd'])
  await change({ id: 'one', summary: 'Named now.' }, { id: 'two', summary: 'Still not named.' })
  expect(await matches()).toHaveLength(1)
  await change({ id: 'one', risk_level: 'critical' })
  await change({ id: 'one', risk_level: 'high' })
  await change({ id: 'one', risk_level: 'critical' })
  expect(await matches()).toEqual(['threat:one Victim named: Okapi Ltd', 'critical:one Severity: critical'])
})

test('the match of a changed record names the changed summary', async () => {
  const { create, publish, change, matches } = await startEvaluating()
  await create(undefined, { filter: { q: 'okapi' } })
  await publish({ id: 'one', ...REDACTED })
  await change({ id: 'one', summary: 'They sell data of Okapi.' })
  expect(await matches()).toEqual(['threat:one Changed: summary'])
})

test('a new profile, and one that searches for something else, is sent nothing that it matches already', async () => {
  const { ask, create, publish, change, matches, database } = await startEvaluating()
  await publish({ id: 'one', title: 'Okapi' }, { id: 'two', title: 'Tapir' })
  const { profile: saved } = await create(undefined, { filter: { q: 'okapi' } })
  const isEvaluated = async (filter: string) =>
    (await database.query('select from alert_evaluation where criteria like $1', [`%${filter}%`])).rowCount
  await expect.poll(() => isEvaluated('okapi')).toBe(1)
  await change({ id: 'one', summary: 'Changed.' })
  const filter = { q: 'tapir' }
  expect((await ask(`/bff/alert-profiles/${saved.id}`, { method: 'PUT', body: { filter } })).status).toBe(200)
  await expect.poll(() => isEvaluated('tapir')).toBe(1)
  await change({ id: 'two', summary: 'Changed.' })
  expect(await matches()).toEqual([])
  await publish({ id: 'three', title: 'Tapir' })
  expect(await matches()).toEqual(['threat:three'])
})

test('sends no old threats after a change of the search in a named profile', async () => {
  const { ask, create, publish, change, matches, database } = await startEvaluating()
  await publish({ id: 'one', title: 'Okapi' }, { id: 'two', title: 'Tapir' })
  const { profile: named } = await create(undefined, { name: 'Animals', filter: { q: 'okapi' } })
  await create(undefined, { name: 'Between', filter: { q: 'profile:Animals' } })
  await create(undefined, { name: 'Naming', filter: { q: 'profile:Between' } })
  const known = async (id: string) =>
    (await database.query(`select from alert_match where threat_id = $1 and state = 'known'`, [id])).rowCount
  await expect.poll(() => known('one')).toBe(3)
  const filter = { q: 'tapir' }
  expect((await ask(`/bff/alert-profiles/${named.id}`, { method: 'PUT', body: { filter } })).status).toBe(200)
  await expect.poll(() => known('two')).toBe(3)
  await change({ id: 'one', summary: 'Changed.' }, { id: 'two', summary: 'Changed.' })
  expect(await matches()).toEqual([])
  await publish({ id: 'three', title: 'Tapir' })
  expect(await matches()).toEqual(['threat:three', 'threat:three', 'threat:three'])
})

test('a new threat of a listed supplier is sent, one that matched before the list was made is not', async () => {
  const { ask, create, publish, change, matches, database } = await startEvaluating()
  await publish(
    { id: 'before-list', victims: { ...named('Okapi Logistics Ltd'), domains: ['okapi.example'] } },
    { id: 'unlisted', title: 'Tapir' },
  )
  const entries = [{ name: 'Okapi Logistics', domains: [], note: null, key: null, weight: 'normal' }]
  const list = { name: 'Our suppliers', kind: 'supplier', isShared: true, entries }
  expect((await ask('/bff/lists', { body: list })).status).toBe(201)
  await expect
    .poll(async () => (await database.query('select from list_entry where is_matched')).rowCount)
    .toBe(1)
  const { profile } = await create(undefined, { filter: { q: 'list:"our suppliers"' } })
  const isKnown = `select from alert_match where threat_id = 'before-list' and profile_id = $1`
  await expect.poll(async () => (await database.query(isKnown, [profile.id])).rowCount).toBe(1)

  await change({ id: 'before-list', summary: 'Changed.' }, { id: 'unlisted', summary: 'Changed.' })
  expect(await matches()).toEqual([])
  // Another domain: another organisation of that name, and another case.
  const victims = { ...named('OKAPI LOGISTICS GMBH'), domains: ['okapi-logistics.example'] }
  await publish({ id: 'listed', victims })
  expect(await matches()).toEqual(['threat:listed'])
})

test('a message names the matching lists: private ones only to their owner', async () => {
  const { ask, receiver, create, publish, database } = await startEvaluating({ hasEmail: true })
  const { rows } = await database.query('select id from account')
  await database.query(
    `insert into account (email, name, role, password_hash)
     select 'bo@example.com', 'Bo', 'viewer', password_hash from account`,
  )
  const { rows: bos } = await database.query(`select id from account where name = 'Bo'`)
  for (const isShared of [true, false]) {
    const entries = [{ name: 'Okapi Logistics', domains: [], note: null, key: null, weight: 'normal' }]
    const list = { name: isShared ? 'Shared' : 'Private', kind: 'supplier', isShared, entries }
    expect((await ask('/bff/lists', { body: list })).status).toBe(201)
  }
  await create(
    [
      ...[rows, bos].map(([account]) => ({ channel: 'user' as const, userId: String(Object(account).id) })),
      { channel: 'email', address: 'team@corp.example' },
      { channel: 'webhook', url: `${receiver.origin}/hook` },
    ],
    { filter: { q: 'okapi' } },
  )
  await publish({ id: 'one', victims: named('Okapi Logistics Ltd') }, { id: 'two', title: 'About okapi' })
  const sent = await database.query(
    `select threat_id || ' ' || masked || ':' || coalesce((
         select string_agg(' ' || (concern ->> 'listName'), '' order by concern ->> 'listName')
           from jsonb_array_elements(threat -> 'concerns') concern), '') as line
       from delivery_match join delivery_destination destination on destination.id = destination_id
      order by threat_id, masked`,
  )
  expect(sent.rows.map((row) => String(Object(row).line))).toEqual([
    'one a…@example.com: Private Shared',
    'one b…@example.com: Shared',
    'one t…@corp.example: Shared',
    'one vendor.test/…: Shared',
    'two a…@example.com:',
    'two b…@example.com:',
    'two t…@corp.example:',
    'two vendor.test/…:',
  ])
})

test('a threat that matches after a user confirmed it is not sent as new', async () => {
  const { ask, create, publish, change, matches, database } = await startEvaluating()
  await publish({ id: 'likely', victims: named('Apex') })
  const entries = [{ name: 'Apex Ltd', domains: [], note: null, key: null, weight: 'normal' }]
  const list = { name: 'Suppliers', kind: 'other', isShared: true, entries }
  const made = await (await ask('/bff/lists', { body: list })).json()
  const path = `/bff/lists/${Object(made).id}`
  await expect.poll(async () => (await database.query('select from list_match')).rowCount).toBe(1)
  const known = async (id: string) =>
    (await database.query('select from alert_match where profile_id = $1', [id])).rowCount
  const isEvaluated = async (id: string) =>
    (await database.query('select from alert_evaluation where profile_id = $1', [id])).rowCount
  const { profile: certain } = await create(undefined, { filter: { q: 'match:certain' } })
  const { profile: any } = await create(undefined, { filter: { q: 'list:*' } })
  await expect.poll(() => isEvaluated(certain.id)).toBe(1)
  await expect.poll(() => known(any.id)).toBe(1)
  expect(await known(certain.id)).toBe(0)

  const { rows } = await database.query('select entry_id as "entryId" from list_match')
  const pair = { ...Object(rows[0]), threatId: 'likely', decision: 'confirmed' }
  expect((await ask(`${path}/decisions`, { method: 'PUT', body: pair })).status).toBe(204)
  await expect.poll(() => known(certain.id)).toBe(1)
  await change({ id: 'likely', summary: 'Changed.' })
  expect(await matches()).toEqual([])
})

test('a threat that cannot be compared with lists delays no other match or profile', async () => {
  const { ask, create, publish, matches, database } = await startEvaluating({
    compareNames(index, text) {
      if (text.title === 'Faulty') throw new Error('a fault')
      return matchNames(index, text)
    },
  })
  const entries = [{ name: 'Okapi Logistics', domains: [], note: null, key: null, weight: 'normal' }]
  const list = { name: 'Our suppliers', kind: 'supplier', isShared: true, entries }
  expect((await ask('/bff/lists', { body: list })).status).toBe(201)
  await expect
    .poll(async () => (await database.query('select from list_entry where is_matched')).rowCount)
    .toBe(1)
  const { profile } = await create(undefined, { filter: { q: 'list:"our suppliers"' } })
  await create(undefined, { filter: { q: 'faulty' } })
  const isEvaluated = 'select from alert_evaluation where profile_id = $1'
  await expect.poll(async () => (await database.query(isEvaluated, [profile.id])).rowCount).toBe(1)
  await publish({ id: 'faulty', title: 'Faulty', victims: named('Okapi Logistics') })
  await publish({ id: 'listed', victims: named('Okapi Logistics') })
  expect(await matches()).toEqual(['threat:faulty', 'threat:listed'])
})

test('a record dated by day is new on the day of the profile, an older one is not', async () => {
  const { create, publish, change, matches } = await startEvaluating()
  await create()
  const midnight = `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`
  await publish(
    { id: 'by day', published_at: midnight },
    { id: 'old', published_at: '2020-03-10T08:00:00.000Z' },
  )
  await change({ id: 'before', title: 'Another title' }, { id: 'old', title: 'Another title' })
  expect(await matches()).toEqual(['threat:by day'])
})

test('a profile that cannot be evaluated continues later where it stopped, and delays no other', async () => {
  const { create, publish, matches, database } = await startEvaluating()
  await create(undefined, { name: 'Well' })
  const { profile: broken } = await create()
  const search = (filter: object) =>
    database.query('update alert_profile set filter = $2 where id = $1', [broken.id, JSON.stringify(filter)])
  const stopped = async () =>
    (await database.query('select from alert_evaluation where stopped_at is not null')).rowCount
  await search({ q: 'profile:gone' })
  await publish({ id: 'one' })
  await publish({ id: 'two' })
  expect(await matches()).toEqual(['threat:one', 'threat:two'])
  expect(await stopped()).toBe(1)
  await search({})
  await publish({ id: 'three' })
  expect((await matches()).toSorted()).toEqual(
    ['threat:one', 'threat:one', 'threat:three', 'threat:three', 'threat:two', 'threat:two'].toSorted(),
  )
  expect(await stopped()).toBe(0)
})

test('a profile that catches up keeps what it has caught up with, and is sent nothing twice', async () => {
  const { create, publish, matches, database } = await startEvaluating()
  const { profile } = await create()
  const search = (filter: object) =>
    database.query('update alert_profile set filter = $2 where id = $1', [profile.id, JSON.stringify(filter)])
  /** As many changes as are evaluated at once, of records that are stored no more. */
  const appendPage = () =>
    database.query(
      `with counter as (update threat_change_counter set last = last + 200 returning last - 200 as before)
       insert into threat_change (number, threat_id, kind, fields, edge)
       select before + position, 'deleted', 'removed', '{}', 'past' from counter, generate_series(1, 200) position`,
    )
  const stoppedAt = async () => {
    const cursors = await database.query('select stopped_at from alert_evaluation')
    return Object(cursors.rows[0]).stopped_at
  }
  await search({ q: 'profile:gone' })
  for (const id of ['one', 'two', 'three']) {
    await publish({ id })
    await appendPage()
  }
  await publish({ id: 'four' })
  expect(await matches()).toEqual([])

  await database.query(`create function refuse() returns trigger language plpgsql as $$
    begin if new.threat_id = 'three' then raise exception 'a fault'; end if; return new; end $$`)
  await database.query(
    'create trigger refuse before insert on delivery_match for each row execute function refuse()',
  )
  await search({})
  await expect.poll(matches, { timeout: 10_000 }).toEqual(['threat:one', 'threat:two'])
  const { rows } = await database.query(`select number from threat_change where threat_id = 'two'`)
  expect(Number(await stoppedAt())).toBeGreaterThan(Number(Object(rows[0]).number))

  await database.query('drop trigger refuse on delivery_match')
  const all = ['threat:one', 'threat:two', 'threat:three', 'threat:four']
  await expect.poll(matches, { timeout: 10_000 }).toEqual(all)
  await expect.poll(stoppedAt).toBeNull()
  expect(await matches()).toEqual(all)
})

test('sends, of 200 scripted changes, each new match once and nothing else', async () => {
  const { create, publish, change, matches } = await startEvaluating()
  await create(undefined, { filter: { q: 'okapi' } })
  const ids = Array.from({ length: 50 }, (_, at) => `r-${at}`)
  await publish(...ids.map((id) => ({ id, ...REDACTED })))
  const even = ids.filter((_, at) => at % 2 === 0)
  const round = (summary: (id: string) => string) =>
    change(...ids.map((id) => ({ id, summary: summary(id) })))
  await round(() => 'Changed, not named.')
  await round((id) => (even.includes(id) ? 'The victim is Okapi Ltd.' : 'The victim is Tapir Ltd.'))
  await round((id) => (even.includes(id) ? 'Okapi Ltd has confirmed it.' : 'Tapir Ltd has confirmed it.'))
  await round((id) => (even.includes(id) ? 'Withdrawn.' : 'Withdrawn, too.'))
  const sent = (await matches()).map((line) => line.replace(/ .*/, ''))
  expect(sent.toSorted()).toEqual(even.map((id) => `threat:${id}`).toSorted())
})

test('the next leading process evaluates records stored without an evaluation', async () => {
  const { create, publish, matches, database, evaluated, readNewer } = await startEvaluating()
  await create()
  await publish({ id: 'one' })
  // This state follows a kill between the page and its evaluation.
  await database.query(`delete from alert_match where profile_id <> ''`)
  await database.query('delete from delivery_match')
  await database.query(`update change_reader set cursor = cursor - 1 where name = 'alerts'`)
  await readNewer()
  await evaluated()
  expect(await matches()).toEqual(['threat:one'])
})

test('a message says what has changed', async () => {
  const { create, publish, change, database, send, receiver } = await startEvaluating()
  await create(undefined, { filter: { q: 'okapi' } })
  await publish({ id: 'one', ...REDACTED })
  await change({ id: 'one', victims: named('Okapi Ltd') })
  await send()
  await expect.poll(() => receiver.received.length).toBe(1)
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    data: { threats: [{ id: 'one', change: 'Victim named: Okapi Ltd' }] },
  })
  const { rows } = await database.query('select id from delivery')
  const deliveryId = String(Object(rows[0]).id)
  const message = await composeMessage(database, {
    deliveryId,
    content: null,
    linkTo: () => 'https://l.test/',
    hasPages: false,
  })
  expect(message).toMatchObject({ threats: [{ change: 'Victim named: Okapi Ltd' }] })
})

test('names the search and the filters that a threat matches by', async () => {
  const { create, publish, database } = await startEvaluating()
  await create(undefined, { filter: { q: 'okapi', severity: ['critical'], actor: ['Night Owl', 'qilin'] } })
  await publish({ id: 'one', title: 'Okapi', risk_level: 'critical', threat_actors: ['qilin'] })
  const { rows } = await database.query(`select threat -> 'matchedWords' as words from delivery_match`)
  expect(rows).toEqual([{ words: ['okapi', 'actor:"Night Owl",qilin', 'severity:critical'] }])
})

test('alerts lock no change while they wait for cases, and what they wait for is sent once', async () => {
  const { create, publish, matches, database } = await startEvaluating()
  await create(undefined, { filter: { q: 'okapi' } })
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = database.transaction(async (tx) => {
    await lockCases(tx)
    held.resolve()
    await released.promise
  })
  await held.promise
  const publishing = publish({ id: 'one', title: 'Okapi' })
  const waiting = `select from pg_locks where locktype = 'advisory' and not granted and database = (
    select oid from pg_database where datname = current_database())`
  await expect.poll(async () => (await database.query(waiting)).rowCount).toBeGreaterThan(0)
  await database.query(`select from change_reader where name = 'alerts' for update nowait`)
  expect(await matches()).toEqual([])
  released.resolve()
  await Promise.all([holding, publishing])
  expect(await matches()).toEqual(['threat:one'])
})
