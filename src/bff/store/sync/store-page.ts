import { type ChangeEdge, readLastChange } from '#bff/store/changes/change-log.ts'
import { isNewText, storeListedTexts, storeOpenedText } from '#bff/store/full-text/full-text-queries.ts'
import {
  addListed,
  dropMended,
  findStoredIds,
  forgetListed,
  forgetMissed,
  keepUnreadable,
  moveGone,
  readUnreadable,
  takeBack,
} from '#bff/store/records/list-queries.ts'
import {
  countStored,
  dropAll,
  dropBeyond,
  dropOlder,
  joinStoredDetail,
  lockWindow,
  nextRevision,
  type PlacedThreat,
  placeThreats,
  storeDetail,
  storeThreats,
} from '#bff/store/records/store-threats.ts'
import { ANEW, GOES_ON, WINDOW_CHANGED_CHANNEL } from '#bff/store/window-listener.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { Database } from '#database/database.ts'
import type { Facts } from './choose-step.ts'
import type { CrawlPage } from './crawl.ts'
import type { RestOutcome, StoreOutcome } from './next-step.ts'
import type { KnownList } from './reading.ts'
import { troubleOf } from './setbacks.ts'
import {
  crawlsOf,
  readSyncState,
  type StoredState,
  withCrawls,
  writeRevision,
  writeSyncState,
  writeTrouble,
} from './sync-state.ts'

/** Any number of records. */
const INT_MAX = 2 ** 31 - 1

/** What a page has brought that Lantern did not know. */
export type News = {
  threats: readonly Threat[]
  /** Whether the page was read for what is newer; else the window is being filled. */
  isCatchingUp: boolean
  state: StoredState
}
/** Hears of news within the transaction that stores it. */
export type OnNews = (tx: Database, news: News) => Promise<void>

/** Stores a page with the state after it, and tells every process where that has changed anything. */
export async function storePage(
  database: Database,
  outcome: StoreOutcome,
  { keptFrom, keptRecords, isFree, nowMs }: Pick<Facts, 'keptFrom' | 'keptRecords' | 'isFree' | 'nowMs'>,
  onNews?: OnNews,
): Promise<StoredState> {
  const { state, page, setbacks, isFirst, gone, listed } = outcome
  const isFull = state.beyond === 'historyLimit' && state.storedFrom > keptFrom
  const start = isFull ? state.storedFrom : keptFrom
  const placed = placeThreats(page.threats, state.storedTo).filter(({ at }) => at >= start)
  return database.transaction(async (db) => {
    await lockWindow(db)
    const news = onNews ? await findUnknown(db, placed) : []
    if (isFirst) await dropAll(db)
    const stored = await storeThreats(db, placed, edgeOf(outcome))
    const isTextNew = await storeListedTexts(db, page.contents)
    if (stored > 0) await takeBack(db, idsOf(page))
    const isUnsteady = listed !== null && (await forgetMissed(db, idsOf(page))) > 0
    if (listed?.isStart) await forgetListed(db, listed.crawl)
    const { lost, missed } = await dropGone(db, outcome, isUnsteady)
    if (listed?.goesOn) await addListed(db, listed.crawl, idsOf(page))
    else if (listed) await forgetListed(db, listed.crawl)
    const aged = await dropOlder(db, keptFrom)
    const limit = stored > 0 ? await dropBeyond(db, keptRecords) : null
    const isChanged = isFirst || isTextNew || limit !== null || stored + lost + aged > 0
    const unreadable = await keepUnread(db, outcome, new Date(nowMs).toISOString())
    const list = await compareList(db, outcome, { isFree, unreadable })
    if (isUnsteady) list.isUnsteady = true
    const checks = missed > 0 ? { ...state.checks, repeatUntil: gone?.repeatUntil ?? null } : state.checks
    const kept = limit === null ? state : endAtLimit(state, limit)
    const after = { ...kept, list, checks, ...(isChanged && { revision: await nextRevision(db) }) }
    await writeSyncState(db, after)
    await writeTrouble(db, state.source, troubleOf(setbacks))
    const goesOn = !isFirst && listed?.goesOn === true
    if (isChanged) await notifyOfChange(db, isFirst || lost > 0 ? ANEW : goesOn ? GOES_ON : '')
    await onNews?.(db, {
      threats: news,
      isCatchingUp: !isFirst && listed?.crawl !== 'older',
      state: after,
    })
    return after
  })
}

/** A page of a crawl for newer records, unless all that is stored is read anew. */
function edgeOf({ isFirst, listed }: StoreOutcome): ChangeEdge {
  return !isFirst && (listed === null || listed.crawl === 'newer') ? 'live' : 'past'
}

/** What lies before the oldest record that is kept is not read any more. */
function endAtLimit(state: StoredState, oldestAt: string): StoredState {
  const storedFrom = oldestAt > state.storedFrom ? oldestAt : state.storedFrom
  return withCrawls(
    { ...state, storedFrom, beyond: 'historyLimit' },
    { fill: null, catchUp: crawlsOf(state).catchUp },
  )
}

/** Takes a threat's own record into its source's window, and tells every process where that has changed anything. */
export async function storeReadDetail(
  database: Database,
  source: string,
  detail: Threat & { content: string | null },
): Promise<void> {
  const content = detail.content ?? ''
  // Most say nothing that is not stored: they wait for nobody who writes.
  const isRecordNew = (await joinStoredDetail(database, detail)) !== null
  if (!isRecordNew && !(await isNewText(database, detail.id, content))) return
  await database.transaction(async (db) => {
    await lockWindow(db)
    const state = await readSyncState(db)
    if (state.status === 'empty' || state.source !== source) return
    const isRecordChanged = await storeDetail(db, detail)
    const isTextNew = await storeOpenedText(db, detail.id, content)
    if (!isRecordChanged && !isTextNew) return
    await writeRevision(db, await nextRevision(db))
    // People open one threat after another: no answer is made old for each of them alone.
    await notifyOfChange(db, GOES_ON)
  })
}

/** Removes what the source no longer has; without a total that shows it, only what two readings in a row did not meet. */
async function dropGone(
  db: Database,
  outcome: StoreOutcome,
  isUnsteady: boolean,
): Promise<{ lost: number; missed: number }> {
  const { gone, page, state } = outcome
  const { list } = state
  // One that gives other records each time, or fewer than it says, is no ground without a total that fits.
  const isDoubtful = isUnsteady || list.isUnsteady || list.total !== null
  if (!gone || (!gone.isSure && isDoubtful)) return { lost: 0, missed: 0 }
  return moveGone(db, gone, { ids: idsOf(page), max: await lossOf(db, outcome) })
}

/** How many records the source has fewer than are stored, where a total that agreed before is all that tells. */
async function lossOf(
  db: Database,
  { state: { list, since }, gone, reading }: StoreOutcome,
): Promise<number> {
  const said = reading?.said ?? null
  if (gone?.isSure || said === null || list.isTotalOfAll || list.off !== 0) return INT_MAX
  return Math.max(0, (await countStored(db, since)) - said)
}

/** Records that could not be read: those of the page, and without those that have been looked for in vain. */
async function keepUnread(db: Database, { state, page, reread, reading }: StoreOutcome, nowIso: string) {
  const { unreadable: before } = state.list
  const { storedTo: otherwise } = state
  if (reading && page.unreadable.length > 0)
    await keepUnreadable(db, page.unreadable, { reading, otherwise, nowIso })
  if (before === null && page.unreadable.length === 0) return null
  if (reread) await dropMended(db, reread)
  return readUnreadable(db)
}

/** What is known of the list once its total is compared with what is stored. */
async function compareList(
  db: Database,
  { state: { list, beyond, storedFrom }, expected }: StoreOutcome,
  { isFree, unreadable }: { isFree: boolean; unreadable: KnownList['unreadable'] },
): Promise<KnownList> {
  // Of what is beyond the limit of records the list holds more.
  const isFull = expected !== null && beyond === 'historyLimit' && storedFrom > expected.since
  if (!expected || isFull || list.isTotalOfAll) return { ...list, unreadable }
  const off = expected.total - (unreadable?.count ?? 0) - (await countStored(db, expected.since))
  if (off === 0 || expected.isAfterAll)
    return { ...list, unreadable, off, offBefore: null, isDue: off !== 0 && list.isDue }
  // One that reading everything again did not mend is not worth another reading.
  const isDue = list.isDue || (isFree ? off !== list.off : list.off === 0 && off === list.offBefore)
  return { ...list, unreadable, isDue, offBefore: off }
}

/** Records that are not stored yet. */
async function findUnknown(db: Database, placed: readonly PlacedThreat[]): Promise<Threat[]> {
  const byId = new Map(placed.map(({ threat }) => [threat.id, threat]))
  const known = await findStoredIds(db, [...byId.keys()])
  return [...byId.values()].filter(({ id }) => !known.has(id))
}

function idsOf({ threats }: CrawlPage): string[] {
  return threats.map(({ id }) => id)
}

/** Says why the window is not kept up, and forgets a cursor that is of no more use. */
export async function storeRest(
  database: Database,
  { state, setbacks, isCursorLost }: RestOutcome,
): Promise<void> {
  await database.transaction(async (db) => {
    if (isCursorLost) await writeSyncState(db, state)
    await writeTrouble(db, state.source, troubleOf(setbacks))
  })
}

/** What another address has listed is gone before this one is asked. */
export async function emptyWindow(database: Database): Promise<void> {
  await database.transaction(async (db) => {
    await lockWindow(db)
    await dropAll(db)
    await notifyOfChange(db, ANEW)
  })
}

type Notice = '' | typeof ANEW | typeof GOES_ON

export async function notifyOfChange(db: Database, notice: Notice): Promise<void> {
  const change = `${await readLastChange(db)}${notice === '' ? '' : ` ${notice}`}`
  await db.query('select pg_notify($1, $2)', [WINDOW_CHANGED_CHANNEL, change])
}
