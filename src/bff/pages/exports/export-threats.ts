import { nothingRead } from '#bff/http/problem-error.ts'
import { UNBOUNDED } from '#bff/store/index/select-rows.ts'
import type { ThreatSnapshot } from '#bff/store/list-page.ts'
import { readThreatConcerns } from '#bff/store/lists/threat-concerns.ts'
import type { ByAuthor } from '#bff/store/read-search.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { coverageOf } from '#bff/time/coverage.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import { isNewestFirst } from '#contract/bff/arrangement.ts'
import { type Coverage, describeGaps, type GapReason } from '#contract/bff/coverage.ts'
import { describeMissing, type Missing } from '#contract/bff/freshness.ts'
import { EXPORT_MAX_COUNT, type ExportLine, type ExportQuery } from '#contract/bff/threat-export.ts'
import type { Database } from '#database/database.ts'

/** Number of records in memory at a time. */
const PAGE_LIMIT = 500

/**
 * All stored threats that match a query, in its order, read page by page as they are taken: each that was there at the
 * start once, unless it is gone by then, and none that came since.
 */
export async function exportThreats(
  { database, store, clock }: { database: Database; store: ThreatStore; clock: Clock },
  query: ExportQuery & ByAuthor,
): Promise<AsyncGenerator<ExportLine>> {
  const bounds = feedBounds(query, clock.nowMs())
  const [stored, snapshot] = await Promise.all([
    store.storedRange(bounds.start),
    store.snapshot(query, bounds),
  ])
  if (!stored)
    throw nothingRead(
      'Exports are made of the threats stored here. Try again when the first threats are here.',
    )
  const { freshness, time } = stored
  const total = Math.min(snapshot.count, EXPORT_MAX_COUNT)
  const requested = query.within === 'undated' ? UNBOUNDED : bounds
  const coverage = coverageOf(time, requested, clock.nowMs())
  const head = {
    exportedAt: new Date(clock.nowMs()).toISOString(),
    coverage,
    ...(freshness.checked && { checked: freshness.checked }),
    partialReason: partialReason({
      isCut: total < snapshot.count,
      isNewestFirst: isNewestFirst(query),
      coverage,
      missing: freshness.missing,
    }),
    total,
  }

  return toLines(head, { snapshot, database, accountId: query.author?.accountId ?? null })
}

type Head = Extract<ExportLine, { head: unknown }>['head']

type Sources = { snapshot: ThreatSnapshot; database: Database; accountId: string | null }

async function* toLines(head: Head, { snapshot, database, accountId }: Sources): AsyncGenerator<ExportLine> {
  yield { head }
  let sent = 0
  for (let at = 0; at < head.total; at += PAGE_LIMIT) {
    const threats = await snapshot.read(at, Math.min(PAGE_LIMIT, head.total - at))
    const concerns = await readThreatConcerns(database, accountId, threats)
    for (const { listSays: _listSays, ...threat } of threats)
      yield { threat: { ...threat, ...concerns.of(threat.id) } }
    sent += threats.length
  }
  yield { end: { threats: sent } }
}

type Parts = {
  /** More match than an export may hold. */
  isCut: boolean
  isNewestFirst: boolean
  coverage: Coverage
  missing: Missing | undefined
}

function partialReason(parts: Parts): string | null {
  const { isCut, isNewestFirst, coverage, missing } = parts
  const first = isNewestFirst ? 'newest' : 'first'
  if (isCut) return `Only the ${first} ${EXPORT_MAX_COUNT.toLocaleString('en')} are included.`
  if (missing) return describeMissing(missing).join(' ')
  return describeGaps(coverage.gaps.filter((gap) => gap.from !== null || !IS_ALL[gap.why]))
}

/** For these reasons, the stored records are all that exist, so that an export without a first day lacks nothing. */
const IS_ALL: Readonly<Record<GapReason, boolean>> = {
  planWindow: true,
  historyLimit: true,
  notRead: false,
  refused: false,
  cutOff: false,
}
