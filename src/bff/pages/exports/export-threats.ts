import { ProblemError } from '#bff/http/problem-error.ts'
import type { Clock } from '#bff/time/clock.ts'
import { feedBounds, toIso } from '#bff/time/time-range.ts'
import type { ThreatPage, Window } from '#bff/window/window.ts'
import { EXPORT_MAX_COUNT, type ExportLine, type ExportQuery } from '#contract/bff/threat-export.ts'

/** So many records are in memory at a time. */
const PAGE_LIMIT = 500

export type ExportThreatsDependencies = {
  window: Pick<Window, 'storedRange' | 'count' | 'page'>
  clock: Clock
}
export type ExportThreats = (query: ExportQuery) => Promise<AsyncGenerator<ExportLine>>

/** All stored threats that match a query, read page by page as they are taken. */
export function createExportThreats({ window, clock }: ExportThreatsDependencies): ExportThreats {
  return async (query) => {
    const bounds = feedBounds(query, clock.nowMs())
    const [stored, total] = await Promise.all([window.storedRange(), window.count(query, bounds)])
    if (!stored || total === null) {
      throw new ProblemError({
        code: 'window_empty',
        detail: 'Exports are made of the threats stored here. Try again when the first threats are here.',
      })
    }
    const { from, to, isComplete } = stored
    const start = Math.max(Date.parse(from), bounds.start ?? Number.NEGATIVE_INFINITY)
    const end = Math.min(Date.parse(to), bounds.end ?? Number.POSITIVE_INFINITY)
    const isOlder = bounds.start !== null && bounds.start < Date.parse(from)
    const head = {
      exportedAt: new Date(clock.nowMs()).toISOString(),
      covers: { from: toIso(Math.min(start, end)) ?? from, to: toIso(end) ?? to },
      partialReason: partialReason({ total, isComplete, isOlder }),
      total: Math.min(total, EXPORT_MAX_COUNT),
    }

    async function* lines(): AsyncGenerator<ExportLine> {
      yield { head }
      let sent = 0
      for (let page = await readPage(null, sent); ; page = await readPage(page.next, sent)) {
        for (const threat of page.threats) yield { threat }
        sent += page.threats.length
        if (page.next === null || sent >= EXPORT_MAX_COUNT) break
      }
      yield { end: { threats: sent } }
    }

    async function readPage(after: ThreatPage['next'], sent: number): Promise<ThreatPage> {
      const limit = Math.min(PAGE_LIMIT, EXPORT_MAX_COUNT - sent)
      const page = await window.page(query, bounds, { after, limit })
      // An end would say that this was all.
      if (!page) throw new Error('The window was emptied while it was exported')
      return page
    }
    return lines()
  }
}

type Parts = { total: number; isComplete: boolean; isOlder: boolean }

/** `isOlder`: the query reaches further back than the window. */
function partialReason({ total, isComplete, isOlder }: Parts): string | null {
  if (total > EXPORT_MAX_COUNT)
    return `Only the newest ${EXPORT_MAX_COUNT.toLocaleString('en')} are included.`
  if (!isComplete) return 'Lantern is still reading the days before: older threats are missing.'
  return isOlder ? 'It begins with the oldest threat that Lantern stores.' : null
}
