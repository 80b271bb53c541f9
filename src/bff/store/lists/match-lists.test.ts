import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { appendChanges } from '#bff/store/changes/change-log.ts'
import type { Database } from '#database/database.ts'
import { matchNames } from '#matcher/names/match-names.ts'
import { createNameIndex } from '#matcher/names/name-index.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { addEntries } from './entry-queries.ts'
import type { CompareNames, CreateIndex } from './find-pairs.ts'
import { insertList } from './list-queries.ts'
import { createListMatching } from './match-lists.ts'

const NOW = '2026-03-10T12:00:00.000Z'

/** Threats of some victims, and what is logged while lists are matched. */
async function start(database: Database, victims: readonly string[]) {
  const threats = victims.map((victim) =>
    makeThreat(victim.toLowerCase(), '2026-03-10T09:00:00.000Z', { organizations: [victim] }),
  )
  await holdThreats(database, { now: NOW, threats })
  const { rows } = await database.query(
    `insert into account (email, name, role) values ('ada@example.com', 'Ada', 'admin') returning id::text`,
  )
  const [{ id: accountId }] = z.tuple([z.object({ id: z.string() })]).parse(rows)
  const failures: string[] = []
  const log = {
    info() {},
    warn() {},
    error: (event: string, _: unknown, facts: object = {}) =>
      failures.push([event, ...Object.entries(facts).flat()].join(' ')),
  }
  return {
    failures,
    createMatching: (
      faults: { database?: Database; compare?: CompareNames; createIndex?: CreateIndex } = {},
    ) => createListMatching({ database, log, ...faults }),
    async rename(before: string, now: string): Promise<void> {
      await database.query('update window_threat set threat = replace(threat, $1, $2)', [before, now])
    },
    async addList(name: string, ...names: string[]): Promise<string> {
      const id = await insertList(database, accountId, { name, kind: 'supplier', isShared: true })
      const entries = names.map((one) => ({ name: one, domains: [], note: null, key: null }))
      await database.transaction((tx) =>
        addEntries(
          tx,
          id,
          entries.map((entry) => ({ ...entry, weight: 'normal' as const })),
        ),
      )
      return id
    },
    async change(...ids: string[]): Promise<void> {
      const changes = ids.map((threatId) => ({ threatId, kind: 'changed' as const, fields: [] }))
      await appendChanges(database, changes, 'past')
    },
    async pairs(): Promise<string[]> {
      const found = await database.query(
        `select name_list.name || ' ' || threat_id as id
           from list_match join list_entry on list_entry.id = entry_id join name_list on name_list.id = list_id
          order by 1`,
      )
      return found.rows.map((row) => String(Object(row).id))
    },
  }
}

/** Fails for threats of this victim until it is mended. */
function failFor(victim: string, isFailing: (entryCount: number) => boolean = () => true) {
  let isMended = false
  const compare: CompareNames = (index, text) => {
    if (!isMended && text.victim === victim && isFailing(index.names.length)) throw new Error('a fault')
    return matchNames(index, text)
  }
  const mend = () => {
    isMended = true
  }
  return { compare, mend }
}

test(
  'logs a threat that cannot be compared once, delays no other, and retries after a change',
  withDatabase('bff', async (database) => {
    const { addList, createMatching, failures, change, pairs } = await start(database, ['Okapi', 'Zebra'])
    await addList('Animals', 'Okapi', 'Zebra')
    const fault = failFor('Okapi')
    const matching = createMatching(fault)
    await matching.matchUnmatched()
    expect(await pairs()).toEqual(['Animals zebra'])

    await change('okapi', 'zebra')
    await matching.matchUnmatched()
    await matching.matchPage([
      { number: 1, threatId: 'okapi', kind: 'changed', fields: [], edge: 'live', at: NOW },
    ])
    expect(await pairs()).toEqual(['Animals zebra'])
    expect(failures).toEqual(['threat-not-matched threat okapi'])

    fault.mend()
    await change('okapi')
    await matching.matchUnmatched()
    expect(await pairs()).toEqual(['Animals okapi', 'Animals zebra'])
    expect((await database.query('select from list_fault')).rowCount).toBe(0)
  }),
)

test(
  'a threat that could not be compared is compared again after a start',
  withDatabase('bff', async (database) => {
    const { addList, createMatching, pairs } = await start(database, ['Okapi'])
    await addList('Animals', 'Okapi')
    const fault = failFor('Okapi')
    await createMatching(fault).matchUnmatched()
    fault.mend()
    await createMatching().matchUnmatched()
    expect(await pairs()).toEqual(['Animals okapi'])
  }),
)

test(
  'a list that cannot be compared with a threat keeps no other list from it',
  withDatabase('bff', async (database) => {
    const { addList, createMatching, failures, pairs } = await start(database, ['Okapi', 'Zebra'])
    await addList('Animals', 'Okapi')
    await addList('Faulty', 'Okapi', 'Zebra')
    await createMatching(failFor('Okapi', (entryCount) => entryCount > 1)).matchUnmatched()
    expect(await pairs()).toEqual(['Animals okapi', 'Faulty zebra'])
    expect(failures).toEqual(['threat-not-matched threat okapi'])
  }),
)

test(
  'an entry whose name cannot be read is logged once, and delays no other',
  withDatabase('bff', async (database) => {
    const { addList, createMatching, failures, change, pairs } = await start(database, ['Okapi', 'Zebra'])
    const createIndex: CreateIndex = (entries) => {
      if (entries.some(({ name }) => name === 'Zebra')) throw new Error('a fault')
      return createNameIndex(entries)
    }
    const list = await addList('Animals', 'Okapi', 'Zebra')
    const matching = createMatching({ createIndex })
    await matching.matchUnmatched()
    await change('okapi')
    await matching.matchUnmatched()
    expect(await pairs()).toEqual(['Animals okapi'])
    expect(failures).toEqual([expect.stringContaining(`list-entry-not-matched list ${list}`)])
  }),
)

test(
  'threats that change while entries are compared with all of them keep the pairs that they have since',
  withDatabase('bff', async (database) => {
    const { addList, createMatching, rename, change, pairs } = await start(database, ['Okapi', 'Zebra'])
    await createMatching().matchUnmatched()
    await addList('Animals', 'Okapi', 'Quagga')
    let isCompared = false
    const compare: CompareNames = (index, text) => {
      isCompared = true
      return matchNames(index, text)
    }
    const changeBetween: Database = {
      ...database,
      async transaction(run) {
        if (isCompared) {
          isCompared = false
          await rename('Okapi', 'Quokka')
          await rename('Zebra', 'Quagga')
          await change('okapi', 'zebra')
          const changed = { kind: 'changed' as const, fields: [], edge: 'live' as const, at: NOW }
          await createMatching().matchPage([
            { number: 1, threatId: 'okapi', ...changed },
            { number: 2, threatId: 'zebra', ...changed },
          ])
        }
        return database.transaction(run)
      },
    }
    await createMatching({ database: changeBetween, compare }).matchUnmatched()
    expect(await pairs()).toEqual(['Animals zebra'])
  }),
)
