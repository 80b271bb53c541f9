import { expect, test } from 'vitest'
import { caseAnswerSchema } from '#contract/bff/case.ts'
import { inboxSchema } from '#contract/bff/inbox.ts'
import { ago, startProfiles } from '#test/support/profiles/start-profiles.ts'
import { Random } from '#test/support/random.ts'
import { V1_LIST } from '#test/support/store/start-filled.ts'
import { v1List, v1Record } from '#test/support/upstream-records.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const ANIMALS = ['okapi', 'tapir', 'heron', 'bison', 'lemur']
const LETTERS = [...'abcdefghijkl']
const GROUPS = ['Ashfall', 'Night Owl', 'Qilin', 'Tarnhelm']

/** A claim of a victim with a domain of its own. */
function claim(
  id: string,
  { victim, actor = 'Ashfall', ...fields }: { victim: string; actor?: string; [field: string]: unknown },
) {
  const victims = { countries: [], industries: [], organizations: [victim], domains: [`${victim}.example`] }
  return { id, title: victim, summary: 'Named on a site.', threat_actors: [actor], victims, ...fields }
}

async function startEvaluating(options: Parameters<typeof startProfiles>[1] = {}) {
  const database = await takeDatabase('bff')
  const started = await startProfiles(database, { sending: 0, ...options })
  const sent = async () => {
    const { rows } = await database.query(
      `select threat_id || coalesce(' ' || (threat ->> 'news'), '') as line from delivery_match order by id`,
    )
    return rows.map((row) => String(Object(row).line))
  }
  return { ...started, database, sent }
}

test('a profile notifies once of a case, and again of another group, published data or a rise', async () => {
  const { create, publish, sent, database } = await startEvaluating()
  await create()
  const victim = 'okapilogistics'
  await publish(claim('first', { victim }))
  await publish(claim('repost', { victim }), claim('part-2', { victim, title: 'okapilogistics part 2' }))
  await publish(claim('other', { victim, actor: 'Night Owl' }))
  await publish(claim('other-again', { victim, actor: 'Night Owl' }))
  await publish(claim('files', { victim, title: 'okapilogistics files part 3 published' }))
  await publish(claim('more-files', { victim, title: 'okapilogistics files part 4 published' }))
  await publish(claim('worse', { victim, risk_level: 'critical' }))
  await publish(claim('stranger', { victim: 'tapirworks' }))
  expect(await sent()).toEqual([
    'first',
    'other also claimed by Night Owl',
    'files data published',
    'worse now critical',
    'stranger',
  ])
  const { rows } = await database.query(
    `select threat_id as id from alert_match where state = 'repeated' order by id`,
  )
  expect(rows.map((row) => Object(row).id)).toEqual(['more-files', 'other-again', 'part-2', 'repost'])
})

test('a message says what is new of a case, and carries its number so that tickets are updated', async () => {
  const { create, publish, send, receiver, ask } = await startEvaluating()
  await create()
  await publish(claim('first', { victim: 'okapilogistics', published_at: ago(2) }))
  await publish(claim('other', { victim: 'okapilogistics', actor: 'Night Owl' }))
  const { items } = inboxSchema.parse(await (await ask('/bff/inbox')).json())
  expect(items.map(({ detail }) => detail)).toEqual([
    'okapilogistics: also claimed by Night Owl',
    'okapilogistics',
  ])
  await send()
  await expect.poll(() => receiver.received.length).toBe(1)
  const [other, first] = JSON.parse(receiver.received[0]?.body ?? '').data.threats
  expect(first).toMatchObject({ id: 'first', caseId: expect.stringMatching(/^\d+$/), news: null })
  expect(other).toMatchObject({ id: 'other', caseId: first.caseId, news: 'also claimed by Night Owl' })
})

test('after an undone join, the next claim sends the news that the join suppressed', async () => {
  const { create, publish, sent, ask } = await startEvaluating()
  await create()
  await publish(claim('own', { victim: 'okapilogistics' }))
  await publish(claim('strange', { victim: 'tapirworks', actor: 'Night Owl' }))
  const decide = async (body: object) => {
    const { found } = caseAnswerSchema.parse(await (await ask('/bff/threats/own/case')).json())
    expect((await ask('/bff/cases', { body: { ...body, revision: found?.revision } })).status).toBe(200)
  }
  await decide({ action: 'join', threatId: 'own', otherId: 'strange' })
  await publish(claim('kept-back', { victim: 'okapilogistics', actor: 'Night Owl' }))
  await decide({ action: 'split', threatId: 'strange' })
  await publish(claim('next', { victim: 'okapilogistics', actor: 'Night Owl' }))
  await publish(claim('last', { victim: 'okapilogistics', actor: 'Night Owl' }))
  expect(await sent()).toEqual(['own', 'strange', 'next also claimed by Night Owl'])
})

test('a repeated claim that the vendor corrects to another victim is sent', async () => {
  const { create, publish, sent, records, standIn, reconcile, evaluated } = await startEvaluating()
  await create()
  await publish(claim('own', { victim: 'okapilogistics' }))
  await publish(claim('corrected', { victim: 'okapilogistics' }))
  expect(await sent()).toEqual(['own'])
  records.splice(0, 1, v1Record({ ...records[0], ...claim('corrected', { victim: 'tapirworks' }) }))
  standIn.play(V1_LIST, { json: v1List(records) })
  await reconcile()
  await evaluated()
  await publish(claim('repeat', { victim: 'tapirworks' }))
  expect(await sent()).toEqual(['own', 'corrected'])
})

test('sends the first new claim of a case known from history, and no repetition of it', async () => {
  const { create, publish, sent } = await startEvaluating()
  await create()
  // The vendor listed another claim of this victim before Lantern first read it.
  const { title, victims } = v1Record()
  await publish({ id: 'new', title, victims })
  await publish({ id: 'repost', title, victims })
  expect(await sent()).toEqual(['new'])
})

test('claims that cannot be compared delay no alert, and are compared later', async () => {
  const { create, publish, sent, database } = await startEvaluating()
  await create()
  await database.query('alter table window_case_key add constraint broken check (false) not valid')
  await publish(claim('first', { victim: 'okapilogistics' }))
  expect(await sent()).toEqual(['first'])
  await database.query('alter table window_case_key drop constraint broken')
  await expect
    .poll(async () => (await database.query('select from case_claim where is_compared')).rowCount)
    .toBe(2)
  await publish(claim('repost', { victim: 'okapilogistics' }))
  expect(await sent()).toEqual(['first'])
})

test('sends, of 1,000 claims, only the first of each case and news about it', async () => {
  const { create, publish, sent } = await startEvaluating()
  await create()
  const random = new Random(20_261_128)
  const known = new Map<string, Set<string>>()
  const expected: string[] = []
  for (let page = 0; page < 10; page++) {
    const claims = Array.from({ length: 100 }, (_, at) => {
      const actor = random.pick(GROUPS)
      const victim = `${random.pick(ANIMALS)}works${random.pick(LETTERS)}`
      const isPublished = random.chance(0.1)
      const id = `c-${page}-${at}`
      const before = known.get(victim)
      const facts = [actor, ...(isPublished ? ['published'] : [])]
      if (!before || facts.some((fact) => !before.has(fact))) expected.push(id)
      known.set(victim, new Set([...(before ?? []), ...facts]))
      const title = isPublished ? `${victim} files published` : victim
      return claim(id, { victim, actor, title, published_at: ago(60 - page - at / 200) })
    })
    await publish(...claims)
  }
  const lines = await sent()
  expect(lines.map((line) => line.split(' ')[0]).toSorted()).toEqual(expected.toSorted())
  expect(lines.length).toBeLessThan(500)
}, 120_000)
