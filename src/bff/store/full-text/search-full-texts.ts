import { nothingRead, ProblemError } from '#bff/http/problem-error.ts'
import { faultySearch } from '#bff/store/read-search.ts'
import { lockStore, nextRevision, placeThreats } from '#bff/store/records/store-threats.ts'
import { notifyOfChange } from '#bff/store/sync/store-page.ts'
import { readSyncState, type StoredState, writeRevision } from '#bff/store/sync/sync-state.ts'
import type { Clock } from '#bff/time/clock.ts'
import type { ReadRequest } from '#bff/upstream/cache/read-request.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import { givenUp, UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { readThreatList, type ThreatPage } from '#bff/upstream/reader/read-threat-list.ts'
import type { SeenCategories } from '#bff/upstream/seen-categories.ts'
import type { FullTextRequest, FullTextSearch } from '#contract/bff/full-text-search.ts'
import { HOUR_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { parseKeyword } from '#matcher/keyword.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { printQuery } from '#matcher/query/print-query.ts'
import { conjunctsOf } from '#matcher/query/query-tree.ts'
import { unlessAborted } from '#server/unless-aborted.ts'
import { hasAllTexts } from './full-text-queries.ts'
import { findSearch, type StoredSearch, storeFoundPage } from './search-queries.ts'

/** The vendor's maximum. */
const PAGE_LIMIT = 100
const REPEATABLE_AFTER_MS = HOUR_MS

/** Lists carry no content: words that stand there only are searched for by the vendor. */
export type FullTextSearches = {
  database: Database
  upstream: Upstream
  clock: Clock
  source: string
  categories: () => SeenCategories
  /** Requests that this process waits for, by page and words. */
  flights: Map<string, Promise<StoredSearch>>
}

/** Returns what can be sent for a search, and the result of the last request. Costs no call. */
export async function findFullTexts(searches: FullTextSearches, q: string): Promise<FullTextSearch> {
  const isStored = await hasAllTexts(searches.database, searches.upstream.data('v1'))
  const words = vendorWordsOf(q)
  if ('refusal' in words) return { words: null, refusal: words.refusal, isStored, last: null }
  return { ...toAnswer(words, await findLast(searches, words)), isStored }
}

/**
 * Sends a search's words to the vendor and stores what it answers: at most one call, and none where the same page was
 * read within the last hour, by anybody.
 */
export async function searchFullTexts(
  searches: FullTextSearches,
  { q, offset }: FullTextRequest,
  { caller, signal }: ReadRequest,
): Promise<FullTextSearch> {
  const { clock, flights } = searches
  const words = vendorWordsOf(q)
  if ('refusal' in words) throw unsendable(words.refusal)
  const last = await findLast(searches, words)
  const isRecent = last && clock.nowMs() < Date.parse(last.searchedAt) + REPEATABLE_AFTER_MS
  const isKnown = offset === 0 ? isRecent : last && last.nextOffset !== offset
  if (last && isKnown) return toAnswer(words, last)
  const start = offset > 0 && last ? offset : 0
  const key = `${start}${words.normalised}`
  const flight =
    flights.get(key) ??
    readAndStore(searches, words, { offset: start, last, caller }).finally(() => flights.delete(key))
  flights.set(key, flight)
  // It goes on without those who wait: its call is spent.
  flight.catch(() => {})
  return toAnswer(words, await unlessAborted(flight, signal, () => givenUp('earlier')))
}

async function currentState(db: Database, source: string): Promise<StoredState | null> {
  const state = await readSyncState(db)
  return state.status !== 'empty' && state.source === source ? state : null
}

async function findLast(
  { database, source }: FullTextSearches,
  { normalised }: VendorWords,
): Promise<StoredSearch | null> {
  return (await currentState(database, source)) && findSearch(database, normalised)
}

async function readPage(
  { upstream, clock }: FullTextSearches,
  { sent }: VendorWords,
  { offset, caller, sinceMs }: { offset: number; caller: ReadRequest['caller']; sinceMs: number },
): Promise<{ page: ThreatPage; fetchedAtMs: number }> {
  let fetchedAtMs = Number.POSITIVE_INFINITY
  const onUsed = (atMs: number) => {
    fetchedAtMs = atMs
  }
  const query = { search: sent, limit: PAGE_LIMIT, offset }
  const stored = { sinceMs, isOnly: false, onUsed }
  const body = await upstream.call('listFeed', { query }, { ...caller, priority: 'person', stored })
  const page = readThreatList('earlier', body)
  if (!page) throw new UpstreamError({ set: 'earlier', kind: 'unreadable', reason: 'no list in the answer' })
  return { page, fetchedAtMs: Math.min(fetchedAtMs, clock.nowMs()) }
}

async function readAndStore(
  searches: FullTextSearches,
  words: VendorWords,
  { offset, last, caller }: { offset: number; last: StoredSearch | null; caller: ReadRequest['caller'] },
): Promise<StoredSearch> {
  const { database, clock, source, categories } = searches
  if (!(await currentState(database, source))) throw nothingStored()
  const sinceMs = offset > 0 && last ? Date.parse(last.searchedAt) : clock.nowMs() - REPEATABLE_AFTER_MS
  const { page, fetchedAtMs } = await readPage(searches, words, { offset, caller, sinceMs })
  categories().add(page.threats.map(({ category }) => category))
  return database.transaction(async (db) => {
    await lockStore(db)
    const state = await currentState(db, source)
    if (!state) throw nothingStored()
    const known = await findSearch(db, words.normalised)
    // Another process has stored the same answer.
    if (known && known.searchedAt !== last?.searchedAt) return known
    if (known && offset > 0 && known.nextOffset !== offset) return known
    const stored = await storeFoundPage(db, words.normalised, {
      placed: placeThreats(page.threats, state.storedTo),
      searchedAt: new Date(fetchedAtMs).toISOString(),
      total: page.total,
      nextOffset: nextOffsetOf(page, offset),
      before: offset > 0 ? known : null,
    })
    await writeRevision(db, await nextRevision(db))
    await notifyOfChange(db, '')
    return stored
  })
}

function toAnswer({ sent }: VendorWords, last: StoredSearch | null): FullTextSearch {
  if (!last) return { words: sent, refusal: null, isStored: false, last: null }
  const { searchedAt, found, added, total, nextOffset } = last
  const repeatableAt = new Date(Date.parse(searchedAt) + REPEATABLE_AFTER_MS).toISOString()
  const more = nextOffset === null ? 0 : total === null ? null : Math.max(0, total - nextOffset)
  return {
    words: sent,
    refusal: null,
    isStored: false,
    last: { searchedAt, repeatableAt, found, added, nextOffset, more },
  }
}

function nextOffsetOf({ received, hasMore, total }: ThreatPage, offset: number): number | null {
  const end = offset + received
  const goesOn = hasMore ?? (total === null ? received >= PAGE_LIMIT : end < total)
  return received > 0 && goesOn ? end : null
}

function nothingStored(): ProblemError {
  return nothingRead(
    'What the vendor finds is added to the stored threats. Try again when the first threats are here.',
  )
}

function unsendable(refusal: string): ProblemError {
  return new ProblemError({
    code: 'filter_not_supported',
    title: 'This search cannot be sent to the vendor',
    detail: refusal,
    fields: [{ name: 'q', reason: refusal }],
  })
}

/** Vendors accept this length as one parameter, and the database stores it. */
const WORDS_MAX_LENGTH = 512

const NO_WORDS =
  'Only words and phrases that must hold can be sent to the vendor, and this search has none. Words behind OR or a dash, words with a star, and fields are not sent.'
const TOO_LONG = `The words of this search are longer than ${WORDS_MAX_LENGTH} characters. Remove some of them.`

type VendorWords = {
  /** The words as the vendor receives them. */
  sent: string
  /** The words as the matcher normalises them, in alphabetical order: searches that mean the same share one entry. */
  normalised: string
}

/** The words and phrases of a search that must hold, or why they cannot be sent. Throws where the search has no meaning. */
function vendorWordsOf(q: string): VendorWords | { refusal: string } {
  const { tree, faults } = parseQuery(q)
  if (faults.length > 0) throw faultySearch(faults)
  const byKeyword = new Map<string, string>()
  for (const node of conjunctsOf(tree)) {
    if (node.kind !== 'word' || node.isPrefix) continue
    const normalised = parseKeyword(node.text)?.normalised
    if (normalised !== undefined && !byKeyword.has(normalised)) byKeyword.set(normalised, printQuery(node))
  }
  if (byKeyword.size === 0) return { refusal: NO_WORDS }
  const sent = [...byKeyword.values()].join(' ')
  const normalised = [...byKeyword.keys()].toSorted().join('')
  if (Math.max(sent.length, normalised.length) > WORDS_MAX_LENGTH) return { refusal: TOO_LONG }
  return { sent, normalised }
}
