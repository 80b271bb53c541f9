import { countPrompt } from '#bff/alerts/count-prompt.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import {
  countClosed,
  countRepeats,
  readFirstWork,
  readWorkTimes,
  type WorkTimes,
} from '#bff/store/records/work-queries.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { countedPeriod } from '#bff/time/counted-period.ts'
import { toMinute } from '#bff/time/same-part.ts'
import { type TeamFigures, teamFiguresQuerySchema, type WorkTime } from '#contract/bff/team-figures.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'

/** Ages of open cases in days, which overlap: each counts all that is older. */
const OLDER_DAYS = [1, 7, 30, 90]

type TeamRouteDependencies = { database: Database; store: ThreatStore; clock: Clock }

/** Answers what the team did with cases in a period, and what is open now. */
export function teamRoutes({ database, store, clock }: TeamRouteDependencies): BffRoute[] {
  return [
    defineRoute('GET /bff/team-figures', {
      access: 'viewer',
      query: teamFiguresQuerySchema,
      async answer({ query }) {
        const nowMs = clock.nowMs()
        const recordedFrom = await readFirstWork(database)
        const { period, bounds, chosen } = countedPeriod(query.period, {
          timeZone: query.timeZone,
          nowMs,
          stored: recordedFrom === null ? null : { time: recordOf(recordedFrom, nowMs) },
        })
        const { since, until, previousSince, previousUntil } = chosen.parts
        const before = { start: previousSince, end: previousUntil }
        const [times, timesBefore, byReason, compared, open, repeats, alerts] = await Promise.all([
          readWorkTimes(database, bounds),
          chosen.isCompared ? readWorkTimes(database, before) : [],
          countClosed(database, bounds),
          chosen.isCompared
            ? Promise.all([
                countClosed(database, { start: since, end: until }),
                countClosed(database, before),
              ])
            : null,
          countOpen(store, nowMs),
          countRepeats(database, bounds),
          countPrompt(database, bounds),
        ])
        const json: TeamFigures = {
          period,
          recordedFrom,
          firstLook: toWorkTime('look', times, timesBefore),
          closing: toWorkTime('closing', times, timesBefore),
          closed: {
            cases: sumOf(byReason),
            compared: compared && {
              count: sumOf(compared[0]),
              previous: sumOf(compared[1]),
              ...(!period.isRunning && { isOver: true }),
            },
            byReason,
            repeats,
          },
          open,
          alerts,
        }
        return { json }
      },
    }),
  ]
}

/** The record of what people did begins with the first action, as a stored time of threats does. */
function recordOf(from: string, nowMs: number) {
  return {
    ranges: [{ from: Date.parse(from), to: nowMs }],
    beyond: 'notRead',
    lacksRecords: false,
  } as const
}

function toWorkTime(kind: WorkTimes[number]['kind'], times: WorkTimes, before: WorkTimes): WorkTime {
  const ofKind = (all: WorkTimes) => all.filter((one) => one.kind === kind)
  const totalOf = (all: WorkTimes) => ofKind(all).find(({ isAll }) => isAll)
  const { cases, medianMs, p90Ms } = totalOf(times) ?? { cases: 0, medianMs: null, p90Ms: null }
  return {
    cases,
    medianMs,
    p90Ms,
    previousMedianMs: totalOf(before)?.medianMs ?? null,
    bySeverity: ofKind(times)
      .filter(({ isAll }) => !isAll)
      .map(({ severity, cases, medianMs, p90Ms }) => ({ severity, cases, medianMs, p90Ms })),
  }
}

function sumOf(counts: readonly { cases: number }[]): number {
  return counts.reduce((sum, { cases }) => sum + cases, 0)
}

async function countOpen(store: ThreatStore, nowMs: number): Promise<TeamFigures['open']> {
  const countUntil = async (end: number | null) => {
    const query = { triage: 'open', rows: 'cases', timeZone: 'UTC' } as const
    const { answer } = await store.list(query, { start: null, end }, null)
    return answer.cases ?? answer.total
  }
  const [cases, ...older] = await Promise.all([
    countUntil(null),
    ...OLDER_DAYS.map(async (days) => {
      const until = toMinute(nowMs) - days * DAY_MS
      return { days, until: new Date(until).toISOString(), cases: await countUntil(until) }
    }),
  ])
  return { cases, older }
}
