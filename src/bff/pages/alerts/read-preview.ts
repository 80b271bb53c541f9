import type { ProfileCriteria } from '#bff/store/index/match-profiles.ts'
import type { Clock } from '#bff/time/clock.ts'
import { coverageOf, type StoredTime } from '#bff/time/coverage.ts'
import { calendarOf } from '#bff/time/periods.ts'
import type { FeedBounds } from '#bff/time/time-range.ts'
import { type CachedAnswer, freshnessOf } from '#bff/vendor/cache/cached-answer.ts'
import { ReadCache } from '#bff/vendor/cache/read-cache.ts'
import type { ReadRequest } from '#bff/vendor/cache/read-request.ts'
import type { Caller } from '#bff/vendor/client/caller.ts'
import type { Upstream } from '#bff/vendor/client/upstream-client.ts'
import { UpstreamError } from '#bff/vendor/client/upstream-error.ts'
import { readThreatId } from '#bff/vendor/reader/read-threat-id.ts'
import type { Freshness } from '#contract/bff/freshness.ts'
import { DEFAULT_PERIOD } from '#contract/bff/period.ts'
import { DAY_MS } from '#contract/duration.ts'
import { type AlertPreview, alertPreviewSchema } from '#contract/upstream/earlier/preview-alert.ts'
import { parseKeyword } from '#matcher/keyword.ts'
import { firstPositions } from './keyword-shares.ts'

const MAX_BYTES = 16 * 1024 * 1024
/** Other data begins a new generation. */
const FRESH_FOR_MS = 10 * 60_000

/** Of a profile that looks for no word. */
const NOTHING: AlertPreview = { compared: 0, matches: [], is_cut: false }

/** What a profile would have triggered on, as our own service says: it compares full texts. */
export type Preview = {
  compared: number
  /** Of the records that match, newest first. */
  ids: readonly string[]
  at: readonly number[]
  /** Positions in the list of keywords, by a record's id. */
  keywords: ReadonlyMap<string, readonly number[]>
  stored: { time: StoredTime; freshness: Freshness }
}

/** Null where the source offers none, or gives none now. */
export type ReadPreview = (
  criteria: ProfileCriteria,
  bounds: FeedBounds,
  request: ReadRequest,
) => Promise<Preview | null>

export type PreviewDependencies = {
  upstream: Pick<Upstream, 'call' | 'generation' | 'offers' | 'data'>
  clock: Clock
}

export function createReadPreview({ upstream, clock }: PreviewDependencies): ReadPreview {
  const cache = new ReadCache<AlertPreview | null>({
    clock,
    generation: upstream.generation,
    maxBytes: MAX_BYTES,
    freshForMs: () => FRESH_FOR_MS,
  })

  async function ask(
    body: { keywords: string[]; categories: string[]; since: string },
    request: ReadRequest,
  ): Promise<CachedAnswer<AlertPreview | null> | null> {
    try {
      const load = async (caller: Caller) =>
        alertPreviewSchema.safeParse(await upstream.call('previewAlert', { body }, caller)).data ?? null
      return await cache.read(JSON.stringify(body), load, request)
    } catch (error) {
      // No plan, no budget, no answer: then what is stored has to do.
      if (error instanceof UpstreamError) return null
      throw error
    }
  }

  return async ({ keywords, categories }, bounds, request) => {
    // What holds no word is refused, and what means the same finds the same.
    const positions = firstPositions(keywords).filter(
      (first, at) => first === at && parseKeyword(keywords[at] ?? '') !== null,
    )
    if (!(await upstream.offers('previewAlert'))) return null
    const nowMs = clock.nowMs()
    const startMs = bounds.start ?? calendarOf(DEFAULT_PERIOD, 'UTC', nowMs).start
    const since = new Date(startMs).toISOString()
    const distinct = positions.map((at) => keywords[at] ?? '')
    const cached =
      positions.length === 0
        ? { value: NOTHING, fetchedAtMs: clock.nowMs(), freshForMs: 0, staleReason: null }
        : await ask({ keywords: distinct, categories: [...categories], since }, request)
    if (!cached?.value || cached.value.is_cut) return null

    const { window } = upstream.data('earlier')
    const oldestMs = typeof window === 'number' ? nowMs - window * DAY_MS : Number.NEGATIVE_INFINITY
    const time: StoredTime = {
      ranges: [{ from: Math.max(oldestMs, startMs), to: nowMs }],
      beyond: 'planWindow',
      lacksRecords: false,
    }
    const { freshness } = freshnessOf([cached])
    const matches = cached.value.matches.filter(
      ({ posted_at }) => Date.parse(posted_at) < (bounds.end ?? Number.POSITIVE_INFINITY),
    )
    const ids = matches.map(({ id }) => readThreatId(id)?.id ?? id)
    return {
      compared: cached.value.compared,
      ids,
      at: matches.map(({ posted_at }) => Date.parse(posted_at)),
      keywords: new Map(
        matches.map(({ keywords: found }, row) => [
          ids[row] ?? '',
          found.flatMap((at) => positions[at] ?? []),
        ]),
      ),
      stored: { time, freshness: { ...freshness, coverage: coverageOf(time, bounds, nowMs) } },
    }
  }
}
