import { expect, test } from 'vitest'
import { createLog } from '#bff/http/log.ts'
import { dropAll, placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import { type StoredState, writeSyncState } from '#bff/store/sync/sync-state.ts'
import { createThreatStore, type ThreatStore } from '#bff/store/threat-store.ts'
import { type Clock, systemClock } from '#bff/time/clock.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { type ExportLine, exportLineSchema, exportQuerySchema } from '#contract/bff/threat-export.ts'
import { MINUTE_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { makeSyncState } from '#test/support/store/make-sync-state.ts'
import { USUAL_HISTORY } from '#test/support/usual-settings.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { exportRoutes, exportThreats } from './export-routes.ts'

const NEWEST_MS = Date.parse('2026-03-10T12:00:00Z')
const CLOCK: Clock = { ...systemClock, nowMs: () => NEWEST_MS }
const COUNT = 2_300
const COMPLETE = makeSyncState('2026-03-10T12:00:00.000Z', { storedFrom: '2026-03-01T00:00:00.000Z' })

function makeThreat(at: number): Threat {
  return {
    id: `thr_${at}`,
    set: 'v1',
    title: `Threat ${at} \u2028 "quoted"\nwith a line`,
    excerpt: null,
    category: at % 2 === 0 ? 'DDoS' : 'Ransomware',
    severity: null,
    actors: [],
    countries: [],
    industries: [],
    organizations: [],
    domains: [],
    publishedAt: new Date(NEWEST_MS - at * MINUTE_MS).toISOString(),
    redacted: [],
  }
}

type Exporting = (query?: string) => Promise<Response>
type Run = (
  ask: Exporting,
  database: Database,
  more: { logged: readonly string[]; store: ThreatStore },
) => Promise<void>

function withStored(sync: StoredState | null, run: Run) {
  return withDatabase('bff', async (database) => {
    await storeThreats(
      database,
      placeThreats(
        Array.from({ length: COUNT }, (_, at) => makeThreat(at)),
        COMPLETE.storedTo,
      ),
    )
    if (sync) await writeSyncState(database, sync)
    const store = createThreatStore({
      limits: USUAL_HISTORY,
      database,
      clock: CLOCK,
      source: COMPLETE.source,
    })
    const logged: string[] = []
    const log = createLog((line) => logged.push(line))
    const routes = exportRoutes({ database, store, clock: CLOCK, log })
    const bff = await createTestBff(database, { routes })
    await bff.signIn()
    await run((query = '') => bff.ask(`/bff/exports/threats${query}`), database, { logged, store })
  })
}

async function readLines(response: Response): Promise<ExportLine[]> {
  const text = await response.text()
  expect(text.endsWith('\n')).toBe(true)
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => exportLineSchema.parse(JSON.parse(line)))
}

test(
  'sends every threat of a filter once, newest first, between what is to come and the end',
  withStored(COMPLETE, async (ask) => {
    const response = await ask('?category=DDoS&from=2026-03-01&to=2026-03-10')
    const [head, ...lines] = await readLines(response)

    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    expect(head).toMatchObject({ head: { total: COUNT / 2, partialReason: null } })
    expect(lines.pop()).toEqual({ end: { threats: COUNT / 2 } })
    expect(lines).toEqual(Array.from({ length: COUNT / 2 }, (_, at) => ({ threat: makeThreat(2 * at) })))
  }),
)

test(
  'sends only the documented fields of each threat, and none of the search index',
  withStored(COMPLETE, async (ask, database) => {
    const full: Required<Threat> = {
      ...makeThreat(0),
      fullId: 'thr_0',
      dateText: 'some day',
      isSeverityDerived: true,
      listSays: { analysis: true, source: 'forum.example' },
    }
    await storeThreats(database, placeThreats([full], COMPLETE.storedTo))
    const [, line] = (await (await ask('?category=DDoS')).text()).split('\n')
    const { listSays: _listSays, ...exported } = full
    expect(JSON.parse(line ?? '')).toEqual({ threat: exported })
  }),
)

test(
  'records who exported which filter',
  withStored(COMPLETE, async (ask, database) => {
    await readLines(await ask('?category=DDoS'))
    const { rows } = await database.query(`select after from audit_event where action = 'threats-exported'`)
    expect(rows).toMatchObject([{ after: expect.stringContaining('DDoS') }])
  }),
)

test(
  'states why it is partial: older threats are not stored yet',
  withStored(
    { ...COMPLETE, status: 'filling', beyond: 'notRead', fill: { cursor: null }, catchUp: null },
    async (ask) => {
      expect((await readLines(await ask()))[0]).toMatchObject({
        head: { partialReason: 'Not stored: before 2026-03-01 (not read yet).' },
      })
    },
  ),
)

test(
  'states the time range that it covers, and which records were checked',
  withStored(COMPLETE, async (ask) => {
    expect((await readLines(await ask('?from=2026-02-01&to=2026-03-09')))[0]).toMatchObject({
      head: {
        coverage: {
          status: 'part',
          from: COMPLETE.storedFrom,
          to: '2026-03-10T00:00:00.000Z',
          gaps: [{ from: '2026-02-01T00:00:00.000Z', to: COMPLETE.storedFrom, why: 'historyLimit' }],
        },
        checked: COMPLETE.checks.all,
        partialReason: 'Not stored: 2026-02-01 to 2026-03-01 (Lantern is set to keep no more).',
      },
    })
  }),
)

test(
  'refuses an export while no threats are stored, and an unknown filter',
  withStored(null, async (ask) => {
    expect((await readProblem(await ask())).code).toBe('window_empty')
    expect((await readProblem(await ask('?colour=red'))).code).toBe('bad_request')
  }),
)

test(
  'aborts if the rest cannot be read, and names the cause only in the log',
  withStored(COMPLETE, async (ask, database, { logged }) => {
    const { body } = await ask()
    await database.query('alter table window_threat rename to gone')
    const broken = new Response(body).text()
    await expect(broken).rejects.toThrow('The rest could not be read')
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      {
        event: 'request-failed',
        route: '/bff/exports/threats',
        requestId: expect.any(String),
        error: expect.stringContaining('window_threat'),
      },
    ])
  }),
)

test(
  'omits a record that was deleted meanwhile, and counts the records that it sent',
  withStored(COMPLETE, async (ask, database) => {
    const response = await ask()
    await database.query(`delete from window_threat where id = 'thr_2000'`)
    const [head, ...lines] = await readLines(response)
    expect(head).toMatchObject({ head: { total: COUNT } })
    expect(lines.pop()).toEqual({ end: { threats: COUNT - 1 } })
    expect(lines).not.toContainEqual(
      expect.objectContaining({ threat: expect.objectContaining({ id: 'thr_2000' }) }),
    )
    expect(lines).toHaveLength(COUNT - 1)
  }),
)

test(
  'aborts without an end line if the store is emptied meanwhile',
  withStored(COMPLETE, async (_ask, database, { store }) => {
    const lines = await exportThreats({ database, store, clock: CLOCK }, { timeZone: 'UTC' })
    await lines.next()
    await dropAll(database)
    store.forget()
    await expect(lines.next()).rejects.toThrow('The store was emptied meanwhile')
  }),
)

test(
  'uses the requested order and groups',
  withStored(COMPLETE, async (ask) => {
    const [, ...lines] = await readLines(await ask('?sort=published&order=asc&group=category'))
    const oldestFirst = Array.from({ length: COUNT }, (_, at) => COUNT - 1 - at)
    const ofCategory = (odd: number) => oldestFirst.filter((at) => at % 2 === odd)
    expect(lines.pop()).toEqual({ end: { threats: COUNT } })
    const ids = lines.map((line) => 'threat' in line && line.threat.id)
    // DDoS stands before Ransomware.
    expect(ids).toEqual([...ofCategory(0), ...ofCategory(1)].map((at) => `thr_${at}`))
    const at = (minutes: number) => new Date(NEWEST_MS - minutes * MINUTE_MS).toISOString()
    const three = `since=${at(3)}&until=${at(0)}&group=category`
    const idsOf = async (query: string) =>
      (await readLines(await ask(query))).flatMap((line) => ('threat' in line ? line.threat.id : []))
    expect(await idsOf(`?${three}`)).toEqual(['thr_2', 'thr_1', 'thr_3'])
    expect(await idsOf(`?${three}&groupOrder=size`)).toEqual(['thr_1', 'thr_3', 'thr_2'])
    expect((await readProblem(await ask('?sort=weather'))).fields).toMatchObject([{ name: 'sort' }])
  }),
)

test(
  'keeps its order and its records while others arrive and change',
  withStored(COMPLETE, async (_ask, database, { store }) => {
    const query = exportQuerySchema.parse({ sort: 'victim', group: 'category' })
    const lines = await exportThreats({ database, store, clock: CLOCK }, query)
    const ids: string[] = []
    const take = async (count: number) => {
      for (let at = 0; at < count; at++) {
        const { value } = await lines.next()
        if (value && 'threat' in value) ids.push(value.threat.id)
      }
    }
    await take(1 + 600)
    // To the front of the list, to its end, and new at either.
    const changed = [
      { ...makeThreat(1_999), category: 'A', organizations: ['A'] },
      { ...makeThreat(0), category: 'Z' },
      { ...makeThreat(9_001), category: 'A' },
      { ...makeThreat(9_002), category: 'Z' },
    ]
    await storeThreats(database, placeThreats(changed, COMPLETE.storedTo))
    store.forget()
    await take(COUNT)

    const even = Array.from({ length: COUNT / 2 }, (_, at) => `thr_${2 * at}`)
    const odd = Array.from({ length: COUNT / 2 }, (_, at) => `thr_${2 * at + 1}`)
    expect(ids).toEqual([...even, ...odd])
  }),
)

test(
  'holds at most 500 records in memory at a time',
  withDatabase('bff', async (database) => {
    const threats = Array.from({ length: 1_200 }, (_, at) => makeThreat(at))
    await storeThreats(database, placeThreats(threats, COMPLETE.storedTo))
    await writeSyncState(database, COMPLETE)
    const reads: number[] = []
    const counted: Database = {
      ...database,
      query(text, values) {
        const [ids] = values ?? []
        if (text.includes('from window_threat where id')) reads.push(Array.isArray(ids) ? ids.length : 1)
        return database.query(text, values)
      },
    }
    const store = createThreatStore({
      limits: USUAL_HISTORY,
      database: counted,
      clock: CLOCK,
      source: COMPLETE.source,
    })
    const lines = await exportThreats({ database, store, clock: CLOCK }, { timeZone: 'UTC' })
    await lines.next()
    expect(reads).toEqual([])
    await Array.fromAsync(lines)
    expect(reads).toEqual([500, 500, 200])
  }),
)
