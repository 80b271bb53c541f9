import { expect, test } from 'vitest'
import { conditionAnswerSchema } from '#contract/bff/condition.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { conjunctsOf } from '#matcher/query/query-tree.ts'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { threatRoutes } from './threat-routes.ts'

const NOW = '2026-11-22T08:00:00.000Z'

/** 24 threats of as many days, each with values of its own kinds. */
const THREATS = Array.from({ length: 24 }, (_, at) =>
  makeThreat(`thr_${at}`, new Date(Date.parse(NOW) - at * DAY_MS).toISOString(), {
    title: at % 2 === 0 ? 'Hospital named' : 'Bank named',
    actors: [['Qilin', 'Akira', 'Lock Bit'][at % 3] ?? ''],
    industries: [at % 4 === 0 ? 'Manufacturing' : 'Finance'],
    severity: at % 5 === 0 ? 'critical' : 'high',
    countries: at % 6 === 0 ? [{ code: 'AT', name: 'Austria' }] : [{ code: 'DE', name: 'Germany' }],
    publishedAt: at === 23 ? null : new Date(Date.parse(NOW) - at * DAY_MS).toISOString(),
  }),
)

async function start(database: OpenDatabase, threats = THREATS) {
  const held = await holdThreats(database, { now: NOW, threats })
  const routes = threatRoutes({
    ...held,
    database,
    secret: 'secret-of-the-tests',
  })
  const bff = await createTestBff(database, { routes })
  await bff.signIn()
  const conditions = async (query: string) =>
    conditionAnswerSchema.parse(await (await bff.ask(`/bff/conditions?${query}`)).json())
  const total = async (query: URLSearchParams) =>
    threatListSchema.parse(await (await bff.ask(`/bff/threats?${query}`)).json()).total
  return { ...bff, conditions, total }
}

const withFeed = (run: (feed: Awaited<ReturnType<typeof start>>) => Promise<void>) =>
  withDatabase('bff', async (database) => run(await start(database)))

test.each([
  'country=DE&country=AT&actor=akira&industry=Finance&severity=critical&category=Ransomware',
  'from=2026-11-10&to=2026-11-12&timeZone=Asia/Tokyo&country=AT',
  'within=7d&timeZone=America/New_York&triage=starred',
  'within=undated&severity=critical',
  'since=2026-11-12T00:00:00Z&until=2026-11-13T00:00:00Z&country=AT',
  'set=v1&actor=qilni&q=hospital',
  `timeZone=Europe/Vienna&q=${encodeURIComponent('(hospital OR bank) country:AT -actor:"lock bit" after:2026-11-10 before:yesterday severity:>=high is:open klinik*')}`,
  `q=${encodeURIComponent('bank not hospital or "a or b" or (akira qilin) country:DE')}`,
])('counts each condition as the list does that has no other: %s', (query) =>
  withFeed(async ({ conditions, total }) => {
    const given = new URLSearchParams(query)
    const { conditions: counted, more, isExact } = await conditions(query)
    const parts = conjunctsOf(parseQuery(given.get('q') ?? '').tree)
    const names = [...new Set(given.keys())].filter((name) => !['q', 'set', 'timeZone'].includes(name))
    expect(counted).toHaveLength(names.length + parts.length)
    expect([more, isExact]).toEqual([0, true])
    for (const { name, part, count } of counted ?? []) {
      const alone = new URLSearchParams(
        [...given].filter(([each]) => each === name || each === 'set' || each === 'timeZone'),
      )
      const node = parts[part ?? -1]
      if (node) {
        const q = given.get('q')?.slice(node.from, node.to) ?? ''
        alone.set('q', node.kind === 'not' ? `NOT ${q.replace(/^(?:-|not )/, '')}` : q)
      }
      expect([alone.toString(), count]).toEqual([alone.toString(), await total(alone)])
    }
  })(),
)

test.each([
  ['q=actor:qilni', 'Qilin', 'Qilin', 8],
  ['q=industry:manufaturing', 'Manufacturing', 'Manufacturing', 6],
  ['q=sector:manuf', 'Manufacturing', 'Manufacturing', 6],
  ['q=actor:lokc', 'Lock Bit', '"Lock Bit"', 8],
  ['q=country:germny', 'DE', 'DE', 20],
  ['q=severity:"urgent"', 'critical', 'critical', 5],
  ['q=bank (hospital country:AT,austra)', 'AT', 'AT', 4],
  ['actor=qilni', 'Qilin', null, 8],
  ['actor=qilin&actor=akria', 'Akira', null, 8],
  ['severity=urgent', 'critical', null, 5],
  ['industry=manuf&country=FR', 'Manufacturing', null, 6],
])('names the nearest existing value for a value that no threat has: %s', (query, instead, text, count) =>
  withFeed(async ({ conditions, total }) => {
    const given = new URLSearchParams(query)
    const { conditions: counted } = await conditions(given.toString())
    const found = (counted ?? []).flatMap(({ name, nearest }) => nearest.map((each) => ({ name, ...each })))
    expect(found).toMatchObject([{ instead, count }])
    const [{ name, place } = { name: '', place: undefined }] = found
    expect(place?.fix ?? null).toBe(text)
    const alone = place
      ? { q: `${/actor|industry|sector|country|severity/.exec(query)?.[0]}:${place.fix}` }
      : { [name]: instead }
    expect(await total(new URLSearchParams(alone))).toBe(count)
    if (!place) return
    const q = given.get('q') ?? ''
    expect(parseQuery(q.slice(0, place.from) + place.fix + q.slice(place.to)).faults).toEqual([])
  })(),
)

test.each(['q=actor:zzzzz', 'q=actor:qilin -actor:qilni', 'country=FR', 'q=hospitl', 'q=country:FR'])(
  'names no value where none is near, or the value is known: %s',
  (query) =>
    withFeed(async ({ conditions }) => {
      const { conditions: counted } = await conditions(new URLSearchParams(query).toString())
      expect(counted?.flatMap(({ nearest }) => nearest)).toEqual([])
    })(),
)

test(
  'counts the first of many conditions, refuses a fault, and counts older times as well',
  withDatabase('bff', async (database) => {
    const { conditions, ask } = await start(database)
    const words = new URLSearchParams({ q: Array.from({ length: 30 }, (_, at) => `w${at}`).join(' ') })
    expect(await conditions(words.toString())).toMatchObject({ more: 10, conditions: { length: 20 } })
    expect((await readProblem(await ask('/bff/conditions?q=severity:urgent'))).fields).toMatchObject([
      { name: 'q', fix: 'critical' },
    ])
    expect((await conditions('from=2001-01-01&country=FR')).conditions).toMatchObject([
      { name: 'country', count: 0 },
      // One has no date.
      { name: 'from', count: THREATS.length - 1 },
    ])
  }),
)
