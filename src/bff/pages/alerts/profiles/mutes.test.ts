import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type MuteDraft, muteListSchema, muteSchema } from '#contract/bff/alert-mute.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { V1Threat } from '#contract/upstream/v1/threat.ts'
import { ADMIN, readProblem } from '#test/support/ask-bff.ts'
import { startProfiles } from '#test/support/profiles/start-profiles.ts'
import { V1_LIST } from '#test/support/store/start-filled.ts'
import { v1List, v1Record } from '#test/support/upstream-records.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const DRAFT: MuteDraft = { kind: 'victim', name: 'Okapi Ltd', days: 14, reason: 'A test company' }

async function startMuting() {
  const database = await takeDatabase('bff')
  const started = await startProfiles(database, { sending: 0 })
  const { ask, records, standIn, reconcile, evaluated, publish } = started
  const mute = (id: string, draft: object = {}, as = ask) =>
    as(`/bff/alert-profiles/${id}/mutes`, { body: { ...DRAFT, ...draft } })
  return {
    ...started,
    database,
    mute,
    muted: async (id: string, draft: Partial<MuteDraft> = {}) =>
      muteSchema.parse(await (await mute(id, draft)).json()),
    unmute: (id: string, muteId: string, as = ask) =>
      as(`/bff/alert-profiles/${id}/mutes/${muteId}`, { method: 'DELETE' }),
    mutes: async (id: string, as = ask) =>
      muteListSchema.parse(await (await as(`/bff/alert-profiles/${id}/mutes`)).json()),
    publishOf: (id: string, organizations: string[], changes: Partial<V1Threat> = {}) =>
      publish({ id, ...of(organizations), ...changes }),
    async change(id: string, changes: Partial<V1Threat>): Promise<void> {
      const at = records.findIndex((record) => record.id === id)
      records[at] = v1Record({ ...records[at], ...changes })
      standIn.play(V1_LIST, { json: v1List(records) })
      await reconcile()
      await evaluated()
    },
    /** Events that were written down to be sent, with their profiles. */
    async sent(): Promise<string[]> {
      const { rows } = await database.query(
        `select name || ' ' || event as line from delivery_match join delivery_cause cause on cause.id = cause_id
          order by delivery_match.id`,
      )
      return rows.map((row) => z.object({ line: z.string() }).parse(row).line)
    },
  }
}

const of = (organizations: string[]) => ({
  victims: { countries: [], industries: [], domains: [], organizations },
})

test('a muted victim sends nothing, in any spelling and severity, until the mute is removed', async () => {
  const { create, publishOf, muted, unmute, mutes, sent, ask } = await startMuting()
  const { profile } = await create(undefined, { name: 'Mine' })
  await create(undefined, { name: 'Other' })
  const mute = await muted(profile.id)
  expect(mute).toMatchObject({
    kind: 'victim',
    name: 'Okapi Ltd',
    reason: 'A test company',
    mutedCount: 0,
  })
  expect(Date.parse(mute.until ?? '') - Date.parse(mute.createdAt)).toBe(14 * DAY_MS)
  await publishOf('low', ['OKAPI, LTD.'])
  await publishOf('critical', ['Okapi Ltd'], { risk_level: 'critical' })
  await publishOf('else', ['Tapir'])
  const sentBy = async (name: string) => (await sent()).filter((line) => line.startsWith(name))
  expect(await sentBy('Mine')).toEqual(['Mine threat:else'])
  expect(await sentBy('Other')).toHaveLength(3)
  expect(await mutes(profile.id)).toMatchObject({
    mutes: [{ mutedBy: 'ada', mutedCount: 2 }],
    canChange: true,
  })
  const inbox = JSON.stringify(await (await ask('/bff/inbox')).json())
  expect(inbox.match(/in Mine/g)).toHaveLength(1)
  // The profile counts what it matches, muted or not.
  const listed = await (await ask('/bff/alert-profiles')).json()
  expect(listed).toMatchObject({ profiles: [{ window: { matches: 4 } }, { window: { matches: 4 } }] })

  expect((await unmute(profile.id, mute.id)).status).toBe(204)
  expect((await unmute(profile.id, mute.id)).status).toBe(404)
  await publishOf('next', ['Okapi Ltd'])
  expect(await sentBy('Mine')).toEqual(['Mine threat:else', 'Mine threat:next'])
})

test('sends no muted match after the mute has ended, and mutes changes while it lasts', async () => {
  const { create, publishOf, muted, change, sent, mutes, database } = await startMuting()
  const { profile } = await create()
  const { id } = await muted(profile.id, { kind: 'actor', name: 'ashfall', days: 1 })
  await publishOf('rises', ['Tapir'])
  await change('rises', { risk_level: 'critical' })
  await change('rises', { risk_level: 'high' })
  expect(await mutes(profile.id)).toMatchObject({ mutes: [{ mutedCount: 1 }] })
  await database.query(`update alert_mute set until = now() - interval '1 second' where id = $1`, [id])
  await change('rises', { risk_level: 'critical', summary: 'Changed.' })
  expect(await sent()).toEqual([])
  expect(await mutes(profile.id)).toMatchObject({ mutes: [] })
  await publishOf('next', ['Tapir'])
  expect(await sent()).toEqual(['All threat:next'])
})

test('sends a record that also names another victim, or that changes to one', async () => {
  const { create, publishOf, muted, change, sent } = await startMuting()
  const { profile } = await create()
  await muted(profile.id)
  await publishOf('two', ['Okapi Ltd', 'Tapir'])
  await publishOf('wrong', ['Okapi Ltd'])
  expect(await sent()).toEqual(['All threat:two'])
  await change('wrong', { summary: 'Changed.' })
  expect(await sent()).toHaveLength(1)
  await change('wrong', of(['Bongo']))
  expect(await sent()).toEqual(['All threat:two', 'All threat:wrong'])
  await muted(profile.id, { name: 'Tapir' })
  await publishOf('both', ['Tapir', 'okapi ltd'])
  expect(await sent()).toHaveLength(2)
})

test('muting a name again changes its mute; a profile has 100 at most', async () => {
  const { create, mute, muted, mutes, database, sent, publishOf } = await startMuting()
  const { profile } = await create()
  const first = await muted(profile.id)
  await publishOf('one', ['Okapi Ltd'])
  const again = await muted(profile.id, { name: 'OKAPI LTD', days: null, reason: 'For good' })
  expect(again).toMatchObject({ id: first.id, until: null, reason: 'For good', mutedCount: 1 })
  await database.query(
    `insert into alert_mute (profile_id, kind, name, reason)
     select $1, 'actor', 'Actor ' || n, 'Many' from generate_series(1, 99) n`,
    [profile.id],
  )
  expect(await readProblem(await mute(profile.id, { name: 'One more' }))).toMatchObject({
    status: 409,
    title: 'This profile has too many mutes',
    detail: 'A profile has 100 mutes at most. Remove one, or narrow the search of the profile.',
  })
  expect((await mute(profile.id, { days: 90 })).status).toBe(201)
  expect((await mutes(profile.id)).mutes).toHaveLength(100)
  expect(await sent()).toEqual([])
})

const HOSTILE_NAMES = [
  '\u202egnp.ipako \u0634\u0631\u0643\u0629',
  '<img src=x onerror=alert(1)>"\'&amp;',
  `Ltd ${'ß'.repeat(496)}`,
  '★★',
]

test('mutes hostile names, each alone', async () => {
  const { create, publishOf, muted, sent, mutes } = await startMuting()
  const { profile } = await create()
  for (const name of HOSTILE_NAMES) expect(await muted(profile.id, { name })).toMatchObject({ name })
  for (const [at, name] of HOSTILE_NAMES.entries()) await publishOf(`hostile-${at}`, [name])
  await publishOf('star', ['★'])
  expect(await sent()).toEqual(['All threat:star'])
  const counts = (await mutes(profile.id)).mutes.map(({ name, mutedCount }) => [name, mutedCount])
  expect(counts.toSorted()).toEqual(HOSTILE_NAMES.map((name) => [name, 1]).toSorted())
})

test('refuses a mute without a reason, and one that no one can read', async () => {
  const { create, mute } = await startMuting()
  const { profile } = await create()
  for (const draft of [
    { reason: ' ' },
    { reason: 'x'.repeat(201) },
    { name: '' },
    { name: '\0' },
    { days: 2 },
  ])
    expect((await mute(profile.id, draft)).status).toBe(400)
})

test('only users who may change a profile mute; its recipients see the mutes, others do not', async () => {
  const { ask, create, createBrowser, database, mute, muted, mutes, unmute } = await startMuting()
  await database.query(
    `insert into account (email, name, role, password_hash)
     select lower(given.name) || '@example.com', given.name, given.role, password_hash
       from account, (values ('Vera', 'viewer'), ('Anna', 'analyst'), ('Otto', 'analyst')) given (name, role)`,
  )
  const signIn = async (name: string) => {
    const browser = createBrowser()
    await browser.signIn({ ...ADMIN, email: `${name}@example.com` })
    return browser.ask
  }
  const [vera, anna, otto] = [await signIn('vera'), await signIn('anna'), await signIn('otto')]
  const { rows } = await database.query(`select id from account where name in ('Vera', 'Anna') order by name`)
  const recipients = rows.map((row) => ({
    channel: 'user' as const,
    ...z.object({ id: z.uuid() }).parse(row),
  }))
  const { profile } = await create(recipients.map(({ id: userId }) => ({ channel: 'user', userId })))
  const { id } = await muted(profile.id)
  for (const as of [vera, anna]) {
    expect(await mutes(profile.id, as)).toMatchObject({ mutes: [{ name: 'Okapi Ltd' }], canChange: false })
    expect((await mute(profile.id, {}, as)).status).toBe(403)
    expect((await unmute(profile.id, id, as)).status).toBe(403)
  }
  const path = `/bff/alert-profiles/${profile.id}`
  expect((await otto(`${path}/mutes`)).status).toBe(404)
  expect((await mute(profile.id, {}, otto)).status).toBe(404)
  expect((await unmute(profile.id, id, otto)).status).toBe(404)
  expect((await ask(path, { method: 'PUT', body: { isShared: true } })).status).toBe(200)
  expect(await mutes(profile.id, otto)).toMatchObject({ canChange: false })
  expect((await mute(profile.id, {}, otto)).status).toBe(403)
  const { rows: audited } = await database.query(
    `select action, after::json ->> 'victim' as victim from audit_event where action like 'alert-%muted'`,
  )
  expect(audited).toEqual([{ action: 'alert-muted', victim: 'Okapi Ltd' }])
  expect((await ask(path, { method: 'DELETE' })).status).toBe(204)
  expect((await database.query('select from alert_mute')).rowCount).toBe(0)
})
