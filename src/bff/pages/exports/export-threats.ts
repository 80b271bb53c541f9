import { ProblemError } from '#bff/http/problem-error.ts'
import type { Clock } from '#bff/time/clock.ts'
import { feedBounds, toIso } from '#bff/time/time-range.ts'
import { countThreats, readPage, type WindowPlace } from '#bff/window/store/threat-queries.ts'
import { scopeOf } from '#bff/window/store/threat-scope.ts'
import type { Window } from '#bff/window/window.ts'
import { EXPORT_MAX_COUNT, type ExportLine, type ExportQuery } from '#contract/bff/threat-export.ts'
import type { Database } from '#database/database.ts'
import { parseQuestion } from '#matcher/question.ts'

const PAGE_LIMIT = 1_000

type ExportThreatsDependencies = { database: Database; window: Pick<Window, 'storedRange'>; clock: Clock }
export type ExportThreats = (query: ExportQuery) => Promise<AsyncGenerator<ExportLine>>

/** All that the window holds of a question, in pages behind the scenes: no more than one of them is in memory. */
export function createExportThreats({ database, window, clock }: ExportThreatsDependencies): ExportThreats {
  return async (query) => {
    const bounds = feedBounds(query, clock.nowMs())
    const held = await window.storedRange()
    if (!held) {
      throw new ProblemError({
        code: 'window_empty',
        detail: 'Exports are made of what Lantern holds itself. Try again when the first threats are here.',
      })
    }
    const { from, to, isComplete } = held
    const scope = scopeOf(query, bounds, parseQuestion(query.q ?? ''))
    const total = await countThreats(database, scope)
    const start = Math.max(Date.parse(from), bounds.start ?? Number.NEGATIVE_INFINITY)
    const end = Math.min(Date.parse(to), bounds.end ?? Number.POSITIVE_INFINITY)
    const head = {
      exportedAt: new Date(clock.nowMs()).toISOString(),
      covers: { from: toIso(Math.min(start, end)) ?? from, to: toIso(end) ?? to },
      partialReason: partialReason(),
      total: Math.min(total, EXPORT_MAX_COUNT),
    }

    function partialReason(): string | null {
      if (total > EXPORT_MAX_COUNT)
        return `Only the newest ${EXPORT_MAX_COUNT.toLocaleString('en')} are included.`
      if (!isComplete) return 'Lantern is still reading the days before: older threats are missing.'
      const isOlder = bounds.start !== null && bounds.start < Date.parse(from)
      return isOlder ? 'It begins with the oldest threat that Lantern holds itself.' : null
    }

    async function* lines(): AsyncGenerator<ExportLine> {
      yield { head }
      let sent = 0
      for (let after: WindowPlace | null = null, isMore = true; isMore && sent < EXPORT_MAX_COUNT; ) {
        const page: Awaited<ReturnType<typeof readPage>> = await readPage(database, scope, {
          after,
          limit: Math.min(PAGE_LIMIT, EXPORT_MAX_COUNT - sent),
        })
        for (const threat of page.threats) yield { threat }
        sent += page.threats.length
        after = page.next
        isMore = after !== null
      }
      yield { end: { threats: sent } }
    }
    return lines()
  }
}
