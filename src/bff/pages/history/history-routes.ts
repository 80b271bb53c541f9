import * as z from 'zod/mini'
import { defineChange, makeChange } from '#bff/accounts/make-change.ts'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import { conflict, notFound, type ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import {
  endLoad,
  findLoad,
  insertLoad,
  listOpenLoads,
  listRequestedLoads,
  type HistoryLoad as StoredLoad,
} from '#bff/store/history/load-queries.ts'
import { type OfferDependencies, offerLoad } from '#bff/store/history/offer-load.ts'
import { readSyncState } from '#bff/store/sync/sync-state.ts'
import type { Clock } from '#bff/time/clock.ts'
import { countedPeriod } from '#bff/time/counted-period.ts'
import type { FeedBounds } from '#bff/time/time-range.ts'
import { GAP_REASONS, type GapReason } from '#contract/bff/coverage.ts'
import { type HistoryLoad, type HistoryLoads, newHistoryLoadSchema } from '#contract/bff/history-load.ts'
import { type HistoryLoadQuery, historyLoadQuerySchema } from '#contract/bff/history-load-query.ts'
import { DAY_MS } from '#contract/duration.ts'
import { rowIdSchema } from '#contract/id.ts'
import type { Database } from '#database/database.ts'

const PAGE_RECORDS = 100

type HistoryRouteDependencies = Omit<OfferDependencies, 'nowMs'> & { clock: Clock }

/** Times of the past that people load: everybody sees them, analysts begin and stop them. */
export function historyRoutes({ clock, ...dependencies }: HistoryRouteDependencies): BffRoute[] {
  const { database } = dependencies
  const offerOf = (bounds: FeedBounds) => offerLoad({ ...dependencies, nowMs: clock.nowMs() }, bounds)

  return [
    defineRoute('GET /bff/history-loads', {
      access: 'viewer',
      query: historyLoadQuerySchema,
      async answer({ query }) {
        const nowMs = clock.nowMs()
        const bounds = boundsOf(query, nowMs)
        const requested = await listRequestedLoads(database, new Date(nowMs - DAY_MS).toISOString())
        const loads = requested.filter((load) => touches(load, bounds))
        const { offer, refusal } = await offerOf(bounds)
        const { set: _set, ...offered } = offer ?? { set: null }
        const json: HistoryLoads = {
          loads: await Promise.all(loads.map((load) => toAnswer(database, load))),
          offer: 'from' in offered ? offered : null,
          refusal,
        }
        return { json }
      },
    }),
    defineRoute('POST /bff/history-loads', {
      access: 'analyst',
      body: newHistoryLoadSchema,
      async answer({ body: { from, to }, ...context }) {
        const { offer, refusal } = await offerOf({ start: Date.parse(from), end: Date.parse(to) })
        const load = await makeChange(database, context, 'analyst', async (tx, record) => {
          // Two people who press the button at once load the time once.
          await tx.query('lock table history_load in share row exclusive mode')
          const open = (await listOpenLoads(tx)).find(
            (one) => !one.isBackground && one.from <= from && to <= one.to,
          )
          if (open) return open
          if (!offer || offer.from !== from || offer.to !== to) throw notOffered(refusal)
          const inserted = await insertLoad(tx, {
            set: offer.set,
            from,
            to,
            isBackground: false,
            requestedBy: context.session.user.id,
            at: new Date(clock.nowMs()).toISOString(),
          })
          const after = { from, to, calls: offer.calls }
          await record({ action: 'history-load-requested', object: inserted.id, after })
          await notifyLive(tx, { kind: 'history' })
          return inserted
        })
        return { status: 201, json: await toAnswer(database, load) }
      },
    }),
    defineChange(database, 'DELETE /bff/history-loads/:id', {
      access: 'analyst',
      live: { kind: 'history' },
      params: z.object({ id: rowIdSchema }),
      async change({ params: { id } }, tx, record) {
        const load = await findLoad(tx, id)
        if (!load || load.isBackground) throw notFound('There is no such load. Reload the page.')
        const at = new Date(clock.nowMs()).toISOString()
        // A load that has ended meanwhile counts as stopped.
        if (!(await endLoad(tx, id, { state: 'stopped', at }))) return
        const before = { from: load.from, to: load.to }
        await record({ action: 'history-load-stopped', object: id, before })
      },
    }),
  ]
}

function boundsOf({ period, timeZone, from, to }: HistoryLoadQuery, nowMs: number): FeedBounds {
  if (period !== undefined) return countedPeriod(period, { timeZone, nowMs, stored: null }).bounds
  return { start: from ? Date.parse(from) : null, end: to ? Date.parse(to) : null }
}

function touches({ from, to }: StoredLoad, { start, end }: FeedBounds): boolean {
  return (end === null || Date.parse(from) < end) && (start === null || start < Date.parse(to))
}

async function toAnswer(db: Database, load: StoredLoad): Promise<HistoryLoad> {
  const { id, from, to, state, requestedByName, requestedAt, pages, total, records, added, reason } = load
  const sync = load.set === 'v1' ? await readSyncState(db) : null
  return {
    id,
    from,
    to,
    state,
    requestedAt,
    pages,
    records,
    added,
    reason,
    requestedBy: requestedByName,
    pagesExpected: total === null ? null : Math.max(pages, Math.ceil(total / PAGE_RECORDS)),
    reachedFrom: sync && sync.status !== 'empty' ? sync.storedFrom : null,
  }
}

function notOffered(refusal: GapReason | null): ProblemError {
  const why = refusal && GAP_REASONS[refusal]
  return conflict(
    why
      ? `This time cannot be loaded: ${why}.`
      : 'This time is stored already, or can no longer be loaded as it was offered. Reload the page to see what is missing.',
    'This time cannot be loaded',
  )
}
