import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { viewListSchema } from '#contract/bff/view.ts'
import { ADMIN, readProblem } from '#test/support/ask-bff.ts'
import { startProfiles } from '#test/support/profiles/start-profiles.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const NOTHING = { industries: [], organizations: [], domains: [] }
const GERMANY = { ...NOTHING, countries: ['Germany'] }
const FRANCE = { ...NOTHING, countries: ['France'] }
const GERMAN = { filter: { q: 'north -bank', country: ['DE'] } }

/** A dashboard of an admin, Ada, and of Eve, an analyst, before four records. */
async function startNamed() {
  const database = await takeDatabase('bff')
  const profiles = await startProfiles(database)
  await database.query(
    `insert into account (email, name, role, password_hash)
     select 'eve@example.com', 'Eve', 'analyst', password_hash from account`,
  )
  const eve = profiles.createBrowser()
  await eve.signIn({ ...ADMIN, email: 'eve@example.com' })
  await profiles.publish(
    { id: 'a', title: 'North clinic', victims: GERMANY },
    { id: 'b', title: 'North clinic', victims: FRANCE },
    { id: 'c', title: 'North bank', victims: GERMANY },
    { id: 'd', title: 'South', victims: GERMANY },
  )
  const pathTo = (q: string) => `/bff/threats?timeZone=UTC&q=${encodeURIComponent(q)}`
  const idsOf = async (q: string, ask = profiles.ask) => {
    const answer = await ask(pathTo(q))
    if (answer.status !== 200) return (await readProblem(answer)).fields?.map(({ reason }) => reason)
    return threatListSchema
      .parse(await answer.json())
      .threats.map(({ id }) => id)
      .toSorted()
  }
  const change = (id: string, body: object) =>
    profiles.ask(`/bff/alert-profiles/${id}`, { method: 'PUT', body })
  const quiet = [{ channel: 'webhook', url: `${profiles.receiver.origin}/quiet` } as const]
  const heard = () => profiles.receiver.received.filter(({ path }) => path === '/hook')
  return { ...profiles, quiet, heard, eve, pathTo, idsOf, change }
}

test('profile: finds what a profile in Lantern finds, with its search and its filters', async () => {
  const { quiet, create, idsOf, change } = await startNamed()
  const { profile } = await create(quiet, { name: 'German clinics', ...GERMAN })
  expect(await idsOf('profile:"german CLINICS"')).toEqual(['a'])
  expect(await idsOf('-profile:"German clinics" clinic')).toEqual(['b'])
  await create(quiet, { name: 'Both', filter: { q: 'profile:"German clinics" OR south' } })
  expect(await idsOf('profile:Both')).toEqual(['a', 'd'])
  await change(profile.id, { filter: { q: 'bank' } })
  expect(await idsOf('profile:Both')).toEqual(['c', 'd'])
})

test('a search by name does not reveal another user’s private profile', async () => {
  const { ask, quiet, create, change, idsOf, pathTo, eve } = await startNamed()
  const { profile } = await create(quiet, { name: 'Secret plan', ...GERMAN })
  const q = 'profile:"Secret plan"'
  expect(await idsOf(q)).toEqual(['a'])
  const query = `timeZone=UTC&q=${encodeURIComponent(q)}`
  const paths = [
    ...[pathTo(q), `/bff/facets/actor?${query}`, `/bff/groups/actor?${query}`, `/bff/conditions?${query}`],
    ...[`/bff/trends?${query}&period=30d`, `/bff/new-threats?${query}&after=0`],
    `/bff/exports/threats?${query}`,
  ]
  for (const path of paths) {
    const own = await ask(path)
    expect(own.status, path).toBe(200)
    await own.text()
    const guessed = await readProblem(await eve.ask(path))
    const invented = await readProblem(await eve.ask(path.replace('Secret%20plan', 'Nothing%20plan')))
    expect(guessed.status, path).toBe(400)
    const texts = [guessed, invented].map((problem) => JSON.stringify(problem.fields))
    expect(texts[0]?.replaceAll('Secret', 'Nothing')).toBe(texts[1]?.replace(/"to":\d+/, '"to":21'))
  }
  const named = { name: 'Hers', filter: { q }, timeZone: 'UTC', isShared: false, recipients: quiet }
  expect((await eve.ask('/bff/alert-profiles', { body: named })).status).toBe(400)
  const backtest = { filter: { q }, timeZone: 'UTC' }
  expect((await eve.ask('/bff/alert-profiles/backtest', { body: backtest })).status).toBe(400)

  await change(profile.id, { isShared: true })
  expect(await idsOf(q, eve.ask)).toEqual(['a'])
  // Another's own profile of the name is meant before the team's.
  const own = { ...named, name: 'Secret plan', filter: { q: 'south' } }
  expect((await eve.ask('/bff/alert-profiles', { body: own })).status).toBe(201)
  expect([await idsOf(q, eve.ask), await idsOf(q)]).toEqual([['d'], ['a']])
})

test('a profile cannot find overdue cases, by itself or by another search, and the builder says so', async () => {
  const { ask, quiet } = await startNamed()
  const places = { 'north is:overdue': { from: 9, to: 16 }, '-status:overdue': { from: 8, to: 15 } }
  const searches = Object.entries(places).map(([q, place]) => ({ filter: { q }, place }))
  for (const { filter, place } of [...searches, { filter: { triage: 'overdue' }, place: {} }]) {
    const draft = { name: 'Late', filter, timeZone: 'UTC', isShared: false, recipients: quiet }
    const answers = [
      await ask('/bff/alert-profiles', { body: draft }),
      await ask('/bff/alert-profiles/backtest', { body: { filter, timeZone: 'UTC' } }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(400)
      expect((await readProblem(answer)).fields).toEqual([
        { name: 'q', reason: expect.stringContaining('cannot find overdue cases'), ...place },
      ])
    }
  }
})

test('a feed of a view finds what its owner may see', async () => {
  const { ask, quiet, create, eve } = await startNamed()
  await create(quiet, { name: 'Clinics', ...GERMAN })
  const view = { name: 'Mine', filter: { q: 'profile:Clinics' }, timeZone: 'UTC', isShared: true }
  await ask('/bff/views', { body: view })
  const feedOf = async (by: typeof ask) => {
    const { views } = viewListSchema.parse(await (await by('/bff/views')).json())
    const own = views.find(({ owner }) => owner.isMe)
    const made = Object(await (await by(`/bff/views/${own?.id}/feed`, { method: 'POST' })).json())
    return by(`/bff${new URL(String(made.address)).pathname}`)
  }
  expect(await (await feedOf(ask)).text()).toMatch(/North clinic/)
  await eve.ask('/bff/views', { body: { ...view, name: 'Hers', isShared: false } })
  expect((await feedOf(eve.ask)).status).toBe(400)
})

test('a search that leads back to itself is refused, and one that comes to do so says why', async () => {
  const { quiet, create, change, idsOf, listed } = await startNamed()
  const { profile: first } = await create(quiet, { name: 'First', filter: { q: 'north' } })
  const { profile: second } = await create(quiet, { name: 'Second', filter: { q: 'profile:First' } })
  const { profile: other } = await create(quiet, { name: 'Other', filter: { q: 'profile:Second' } })
  const refusal = async (id: string, q: string) =>
    (await readProblem(await change(id, { filter: { q } }))).fields?.map(({ reason }) => reason)
  const circle = 'The search of the alert profile “First” leads back to itself. Remove it here.'
  expect(await refusal(first.id, 'profile:First')).toEqual([circle])
  const broken = (name: string) =>
    `The search of the alert profile “${name}” has a fault. Correct it in Alerts, or remove it here.`
  expect(await refusal(first.id, 'profile:Other')).toEqual([broken('Other')])
  await change(first.id, { name: 'Last' })
  expect(await idsOf('profile:Other')).toEqual([broken('Other')])
  const faults = new Map((await listed()).map(({ id, filterFaults }) => [id, filterFaults]))
  expect(faults.get(first.id)).toBeUndefined()
  expect(faults.get(second.id)).toEqual([expect.stringMatching(/profile/)])
  expect(faults.get(other.id)).toEqual([broken('Second')])
  await change(first.id, { name: 'First' })
  expect(await idsOf('profile:Other')).toEqual(['a', 'b', 'c'])
})

test('a profile that names another sends its matches, and nothing once that is deleted', async () => {
  const { ask, quiet, create, publish, heard, listed } = await startNamed()
  const { profile: named } = await create(quiet, { name: 'Clinics', ...GERMAN })
  const { profile } = await create(undefined, { name: 'Naming', filter: { q: 'profile:Clinics' } })
  await publish(
    { id: 'match', title: 'Heron clinic north', victims: GERMANY },
    { id: 'other', title: 'North clinic', victims: FRANCE },
  )
  await expect.poll(() => heard().length).toBe(1)
  expect(heard()[0]?.body).toContain('"match"')
  expect(heard()[0]?.body).not.toContain('"other"')
  expect(profile.window).toMatchObject({ matches: 1 })
  await ask(`/bff/alert-profiles/${named.id}`, { method: 'DELETE' })
  await publish({ id: 'after', title: 'Tapir clinic north', victims: GERMANY })
  const one = (await listed()).find(({ id }) => id === profile.id)
  expect(one?.filterFaults).toEqual([expect.stringMatching(/profile/)])
  await sleep(300)
  expect(heard()).toHaveLength(1)
})
