import type { CallLedger } from '#contract/bff/call-ledger.ts'
import type { RouteSet } from '#contract/route-set.ts'

export type HourOfCalls = { hour: number; total: number } & Record<RouteSet, number>

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** The ledger leaves out quiet hours; a day has all of them. */
export function fillHours(counts: CallLedger['hours']): HourOfCalls[] {
  const callsOf = (hour: number, set: RouteSet) =>
    counts.reduce((sum, count) => (count.hour === hour && count.set === set ? sum + count.calls : sum), 0)
  return HOURS.map((hour) => {
    const [v1, earlier] = [callsOf(hour, 'v1'), callsOf(hour, 'earlier')]
    return { hour, v1, earlier, total: v1 + earlier }
  })
}
