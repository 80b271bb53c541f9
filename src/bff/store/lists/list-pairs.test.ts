import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createLog } from '#bff/http/log.ts'
import { appendChanges } from '#bff/store/changes/change-log.ts'
import { placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import type { Database } from '#database/database.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { addEntries, deleteEntry, updateEntry } from './entry-queries.ts'
import { createListPairs, findListed } from './list-pairs.ts'
import { deleteList, insertList, updateList } from './list-queries.ts'
import { createListMatching } from './match-lists.ts'
import { decide } from './match-queries.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const okapi = (id: string) => makeThreat(id, '2026-03-10T09:00:00.000Z', { organizations: ['Okapi'] })
const draft = (name: string) => ({ name, domains: [], note: null, key: null, weight: 'normal' as const })

/** A shared list with one entry that matches the stored threat. */
async function start(database: Database) {
  await holdThreats(database, { now: NOW, threats: [okapi('first')] })
  const { rows } = await database.query(
    `insert into account (email, name, role) values ('ada@example.com', 'Ada', 'admin') returning id::text`,
  )
  const [{ id: accountId }] = z.tuple([z.object({ id: z.string() })]).parse(rows)
  const matching = createListMatching({ database, log: createLog(() => {}) })
  let readCount = 0
  const counting: Database = {
    ...database,
    query(text, values) {
      if (text.includes('list_match')) readCount++
      return database.query(text, values)
    },
  }
  async function addList(name: string, isShared = true): Promise<string> {
    const id = await insertList(database, accountId, { name, kind: 'supplier', isShared })
    await database.transaction((tx) => addEntries(tx, id, [draft('Okapi Ltd')]))
    await matching.matchUnmatched()
    return id
  }
  const listId = await addList('Suppliers')
  const entries = await database.query('select id from list_entry')
  const [{ id: entryId }] = z.tuple([z.object({ id: z.string() })]).parse(entries.rows)
  const idsOf = async (read: ReturnType<typeof createListPairs>, account: string | null = null) =>
    [...findListed(await read(account), { kind: 'listed', by: 'list', wanted: null })].toSorted()
  return {
    accountId,
    listId,
    entryId,
    counting,
    addList,
    idsOf,
    match: () => matching.matchUnmatched(),
    reads: () => readCount,
    async publish(id: string): Promise<void> {
      await storeThreats(database, placeThreats([okapi(id)], NOW))
      await appendChanges(database, [{ threatId: id, kind: 'new', fields: [] }], 'live')
      await matching.matchUnmatched()
    },
  }
}

test(
  'pairs are read once until they change, by whichever process, and then are the new ones',
  withDatabase('bff', async (database) => {
    const { counting, idsOf, reads, publish, listId, entryId, addList } = await start(database)
    const read = createListPairs(counting)
    for (const _ of [1, 2, 3]) expect(await idsOf(read)).toEqual(['first'])
    expect(reads()).toBe(1)

    await publish('second')
    expect(await idsOf(read)).toEqual(['first', 'second'])
    expect(reads()).toBe(2)
    await decide(database, { entryId, threatId: 'first', decision: 'rejected' })
    expect(await idsOf(read)).toEqual(['second'])
    expect(reads()).toBe(3)
    // Another list changes.
    await addList('Others')
    await deleteList(database, listId)
    expect(await idsOf(read)).toEqual(['first', 'second'])
    expect(reads()).toBe(4)
  }),
)

test(
  'pairs of a private list are their owner’s, though the process holds them',
  withDatabase('bff', async (database) => {
    const { accountId, idsOf, listId } = await start(database)
    const read = createListPairs(database)
    await updateList(database, listId, { isShared: false })
    expect(await idsOf(read, accountId)).toEqual(['first'])
    expect(await idsOf(read)).toEqual([])
    expect(await idsOf(read, 'u-1')).toEqual([])
  }),
)

test(
  'a process holds a limited number of pairs, and reads the others again',
  withDatabase('bff', async (database) => {
    const { counting, idsOf, reads, addList } = await start(database)
    await addList('Others')
    const read = createListPairs(counting, 1)
    expect(await idsOf(read)).toEqual(['first'])
    expect(await idsOf(read)).toEqual(['first'])
    expect(reads()).toBeGreaterThan(2)
  }),
)

test(
  'the version of lists differs after people changed something, and not after threats came',
  withDatabase('bff', async (database) => {
    const { listId, entryId, match, publish, addList } = await start(database)
    const read = createListPairs(database)
    const versions = new Set([(await read(null)).version])
    await publish('second')
    versions.add((await read(null)).version)
    expect(versions.size).toBe(1)

    const pair = { entryId, threatId: 'first' }
    const changes: (() => Promise<unknown>)[] = [
      () => updateList(database, listId, { name: 'Vendors' }),
      () => updateList(database, listId, { kind: 'customer' }),
      () => decide(database, { ...pair, decision: 'confirmed' }),
      () => decide(database, { ...pair, decision: 'rejected' }),
      () => decide(database, { ...pair, decision: null }),
      () => updateEntry(database, { listId, id: entryId }, draft('Okapi GmbH')),
      match,
      () => deleteEntry(database, { listId, id: entryId }),
      () => addList('Others'),
      () => deleteList(database, listId),
    ]
    for (const [at, change] of changes.entries()) {
      await change()
      versions.add((await read(null)).version)
      expect(versions.size).toBe(at + 2)
    }
  }),
)
