import { auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { EXPORTS } from '#bff/http/account-limits.ts'
import type { Log } from '#bff/http/log.ts'
import { nothingRead } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { UNBOUNDED } from '#bff/store/index/select-rows.ts'
import type { ThreatSnapshot } from '#bff/store/list-page.ts'
import { readThreatConcerns } from '#bff/store/lists/threat-concerns.ts'
import { authorOf, type ByAuthor } from '#bff/store/read-search.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { coverageOf } from '#bff/time/coverage.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import { isNewestFirst } from '#contract/bff/arrangement.ts'
import { type Coverage, describeGaps, type GapReason } from '#contract/bff/coverage.ts'
import { describeMissing, type Missing } from '#contract/bff/freshness.ts'
import {
  EXPORT_MAX_COUNT,
  type ExportLine,
  type ExportQuery,
  exportQuerySchema,
} from '#contract/bff/threat-export.ts'
import type { Database } from '#database/database.ts'

const BATCH_MIN_LENGTH = 64 * 1024

type ExportRouteDependencies = { database: Database; store: ThreatStore; clock: Clock; log: Log }

export function exportRoutes(dependencies: ExportRouteDependencies): BffRoute[] {
  const { database, log } = dependencies
  return [
    defineRoute('GET /bff/exports/threats', {
      access: 'viewer',
      query: exportQuerySchema,
      limit: EXPORTS,
      async answer({ query, ...context }) {
        const lines = await exportThreats(dependencies, { ...query, author: authorOf(context.session) })
        await recordAudit(database, {
          ...auditFacts(context),
          action: 'threats-exported',
          object: null,
          after: query,
        })
        const facts = { requestId: context.request.id, method: 'GET', route: '/bff/exports/threats' }
        const stream = toNdjson(lines, (error) => log.error('request-failed', error, facts))
        return { stream, contentType: 'application/x-ndjson' }
      },
    }),
  ]
}

/**
 * Values as JSON, one a line, made no faster than they are taken. What breaks them off goes to `onError` alone: whoever
 * reads them sees that they broke off.
 */
function toNdjson(
  values: AsyncGenerator<unknown>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()

  async function nextBatch(): Promise<{ text: string; isLast: boolean }> {
    let text = ''
    while (text.length < BATCH_MIN_LENGTH) {
      const { value, done } = await values.next()
      if (done) return { text, isLast: true }
      text += `${JSON.stringify(value)}\n`
    }
    return { text, isLast: false }
  }

  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { text, isLast } = await nextBatch().catch((error: unknown) => {
        onError(error)
        throw new Error('The rest could not be read')
      })
      if (text !== '') controller.enqueue(encoder.encode(text))
      if (isLast) controller.close()
    },
    async cancel() {
      await values.return(undefined)
    },
  })
}

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
