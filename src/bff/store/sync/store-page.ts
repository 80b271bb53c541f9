import { type ChangeEdge, readLastChange } from '#bff/store/changes/change-log.ts'
import { readKnownTo } from '#bff/store/changes/change-reader.ts'
import { isNewText, storeListedTexts, storeOpenedText } from '#bff/store/full-text/full-text-queries.ts'
import {
  addListed,
  dropMended,
  forgetListed,
  forgetMissed,
  keepUnreadable,
  moveDeleted,
  readUnreadable,
  takeBack,
} from '#bff/store/records/list-queries.ts'
import {
  countStored,
  dropAll,
  dropBeyond,
  dropOlder,
  joinStoredDetail,
  lockStore,
  nextRevision,
  placeThreats,
  storeDetail,
  storeThreats,
} from '#bff/store/records/store-threats.ts'
import { ANEW, GOES_ON, WINDOW_CHANGED_CHANNEL } from '#bff/store/store-listener.ts'
import { iso } from '#bff/time/iso-time.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { troubleOf } from './backoff.ts'
import type { Facts } from './choose-step.ts'
import type { CrawlPage } from './crawl.ts'
import type { PauseOutcome, StoreOutcome } from './outcome.ts'
import type { KnownList } from './reading.ts'
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
/** A vendor may list a record some days after it was published. */
const LISTED_LATE_MAX_MS = 7 * DAY_MS

/** Stores a page with the state after it, and notifies every process of changes. */
export async function storePage(
  database: Database,
  outcome: StoreOutcome,
  { keptFrom, keptRecords, isFree, nowMs }: Facts,
): Promise<StoredState> {
  const { state, page, backoffs, isFirst, deleted, listed } = outcome
  const isFull = state.beyond === 'historyLimit' && state.storedFrom > keptFrom
  const start = isFull ? state.storedFrom : keptFrom
  const placed = placeThreats(page.threats, state.storedTo).filter(({ at }) => at >= start)
  return database.transaction(async (db) => {
    await lockStore(db)
    const knownTo = await readKnownTo(db)
    if (isFirst) await dropAll(db)
    const stored = await storeThreats(db, placed, (threat) => edgeOf(threat, outcome, { knownTo, nowMs }))
    const isTextNew = await storeListedTexts(db, page.contents)
    if (stored > 0) await takeBack(db, idsOf(page))
    const isUnsteady = listed !== null && (await forgetMissed(db, idsOf(page))) > 0
    if (listed?.isStart) await forgetListed(db, listed.crawl)
    const { lost, missed } = await dropDeleted(db, outcome, isUnsteady)
    if (listed?.goesOn) await addListed(db, listed.crawl, idsOf(page))
    else if (listed) await forgetListed(db, listed.crawl)
    const aged = await dropOlder(db, keptFrom)
    const limit = stored > 0 ? await dropBeyond(db, keptRecords) : null
    const isChanged = isFirst || isTextNew || limit !== null || stored + lost + aged > 0
    const unreadable = await keepUnread(db, outcome, iso(nowMs))
    const list = await compareList(db, outcome, { isFree, unreadable })
    if (isUnsteady) list.isUnsteady = true
    const checks = missed > 0 ? { ...state.checks, repeatUntil: deleted?.repeatUntil ?? null } : state.checks
    const kept = limit === null ? state : endAtLimit(state, limit)
    const after = { ...kept, list, checks, ...(isChanged && { revision: await nextRevision(db) }) }
    await writeSyncState(db, after)
    await writeTrouble(db, state.source, troubleOf(backoffs))
    const goesOn = !isFirst && listed?.goesOn === true
    if (isChanged) await notifyOfChange(db, isFirst || lost > 0 ? ANEW : goesOn ? GOES_ON : '')
    return after
  })
}

/**
 * Live is a record that a crawl for newer ones brings, one of the last days that a comparison finds, and, where all is read
 * anew, what was published later than anything that is known.
 */
function edgeOf(
  { publishedAt }: Threat,
  { isFirst, listed }: StoreOutcome,
  { knownTo, nowMs }: { knownTo: string | null; nowMs: number },
): ChangeEdge {
  if (isFirst || listed?.crawl === 'older')
    return publishedAt !== null && knownTo !== null && publishedAt > knownTo ? 'live' : 'past'
  if (listed?.crawl !== 'recheck' || publishedAt === null) return 'live'
  return publishedAt >= iso(nowMs - LISTED_LATE_MAX_MS) ? 'live' : 'past'
}

/** Records before the oldest one that is kept are no longer read. */
function endAtLimit(state: StoredState, oldestAt: string): StoredState {
  const storedFrom = oldestAt > state.storedFrom ? oldestAt : state.storedFrom
  return withCrawls(
    { ...state, storedFrom, beyond: 'historyLimit' },
    { fill: null, catchUp: crawlsOf(state).catchUp },
  )
}

/** Stores a threat's own record in its vendor's store, and notifies every process of changes. */
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
    await lockStore(db)
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

/** Removes what the vendor no longer has; without a total that shows it, only what two readings in a row did not meet. */
async function dropDeleted(
  db: Database,
  outcome: StoreOutcome,
  isUnsteady: boolean,
): Promise<{ lost: number; missed: number }> {
  const { deleted, page, state } = outcome
  const { list } = state
  // A list that gives other records each time, or fewer than it reports, proves nothing without a matching total.
  const isDoubtful = isUnsteady || list.isUnsteady || list.total !== null
  if (!deleted || (!deleted.isSure && isDoubtful)) return { lost: 0, missed: 0 }
  return moveDeleted(db, deleted, { ids: idsOf(page), max: await lossOf(db, outcome) })
}

/** Returns how many records the vendor has fewer than are stored, if only a total that matched before shows it. */
async function lossOf(
  db: Database,
  { state: { list, since }, deleted, reading }: StoreOutcome,
): Promise<number> {
  const reported = reading?.said ?? null
  if (deleted?.isSure || reported === null || list.isTotalOfAll || list.off !== 0) return INT_MAX
  return Math.max(0, (await countStored(db, since)) - reported)
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

/** Compares the list's total with what is stored. */
async function compareList(
  db: Database,
  { state: { list, beyond, storedFrom }, expected }: StoreOutcome,
  { isFree, unreadable }: { isFree: boolean; unreadable: KnownList['unreadable'] },
): Promise<KnownList> {
  // The list holds more than is stored beyond the limit of records.
  const isFull = expected !== null && beyond === 'historyLimit' && storedFrom > expected.since
  if (!expected || isFull || list.isTotalOfAll) return { ...list, unreadable }
  const off = expected.total - (unreadable?.count ?? 0) - (await countStored(db, expected.since))
  if (off === 0 || expected.isAfterAll)
    return { ...list, unreadable, off, offBefore: null, isDue: off !== 0 && list.isDue }
  // A difference that a full reading did not remove is not worth another one.
  const isDue = list.isDue || (isFree ? off !== list.off : list.off === 0 && off === list.offBefore)
  return { ...list, unreadable, isDue, offBefore: off }
}

function idsOf({ threats }: CrawlPage): string[] {
  return threats.map(({ id }) => id)
}

/** Says why stored threats are not kept up to date, and forgets a cursor that is of no more use. */
export async function storePause(
  database: Database,
  { state, backoffs, isCursorLost }: PauseOutcome,
): Promise<void> {
  await database.transaction(async (db) => {
    if (isCursorLost) await writeSyncState(db, state)
    await writeTrouble(db, state.source, troubleOf(backoffs))
  })
}

/** Empties the store before another vendor address is queried. */
export async function emptyStore(database: Database): Promise<void> {
  await database.transaction(async (db) => {
    await lockStore(db)
    await dropAll(db)
    await notifyOfChange(db, ANEW)
  })
}

type Notice = '' | typeof ANEW | typeof GOES_ON

export async function notifyOfChange(db: Database, notice: Notice): Promise<void> {
  const change = `${await readLastChange(db)}${notice === '' ? '' : ` ${notice}`}`
  await db.query('select pg_notify($1, $2)', [WINDOW_CHANGED_CHANNEL, change])
}
