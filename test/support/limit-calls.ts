import { DAY_MS, MINUTE_MS } from '#contract/duration.ts'
import type { StandInReply } from './stand-in-upstream.ts'

export type Plan = { perMinute: number; perDay: number }
/** When a vendor's minutes and days begin, after those of UTC. */
type Phase = { minuteMs: number; dayMs: number }
type Window = { limit: number; periodMs: number; phaseMs: number; startMs: number; used: number }

export type CallLimits = {
  counted: { calls: number; refusals: number; mostInMinute: number }
  /** Answers, or refuses a call that is one too many. */
  reply(answer: () => unknown): StandInReply
  /** How many calls the vendor's day has left, and when it ends. */
  restOfDay(): { calls: number; endsAtMs: number }
}

/** A vendor's plan, by its own clock: fixed windows of a minute and a day, of which each answer reports the scarcer. */
export function limitCalls(
  plan: Plan,
  nowMs: () => number,
  phase: Phase = { minuteMs: 0, dayMs: 0 },
): CallLimits {
  const counted = { calls: 0, refusals: 0, mostInMinute: 0 }
  const minute = createWindow(plan.perMinute, MINUTE_MS, phase.minuteMs)
  const day = createWindow(plan.perDay, DAY_MS, phase.dayMs)

  function takeTime(): void {
    for (const window of [minute, day]) {
      const { periodMs, phaseMs } = window
      const startMs = Math.floor((nowMs() - phaseMs) / periodMs) * periodMs + phaseMs
      if (window.startMs !== startMs) Object.assign(window, { startMs, used: 0 })
    }
  }

  function reply(answer: () => unknown): StandInReply {
    takeTime()
    const full = [day, minute].find(({ used, limit }) => used >= limit)
    if (full) {
      counted.refusals += 1
      const retryAfter = Math.ceil((full.startMs + full.periodMs - nowMs()) / 1000)
      return {
        status: 429,
        headers: headersOf(full),
        json: { error: 'Rate limit', retry_after: retryAfter },
      }
    }
    for (const window of [minute, day]) window.used += 1
    counted.calls += 1
    counted.mostInMinute = Math.max(counted.mostInMinute, minute.used)
    return { headers: headersOf(shareOf(day) < shareOf(minute) ? day : minute), json: answer() }
  }

  function headersOf({ limit, used, startMs, periodMs }: Window) {
    return {
      date: new Date(nowMs()).toUTCString(),
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(limit - used),
      'x-ratelimit-reset': String(Math.ceil((startMs + periodMs) / 1000)),
    }
  }

  function restOfDay() {
    takeTime()
    return { calls: day.limit - day.used, endsAtMs: day.startMs + DAY_MS }
  }

  return { counted, reply, restOfDay }
}

function createWindow(limit: number, periodMs: number, phaseMs: number): Window {
  return { limit, periodMs, phaseMs, startMs: Number.NEGATIVE_INFINITY, used: 0 }
}

function shareOf({ limit, used }: Window): number {
  return (limit - used) / limit
}
