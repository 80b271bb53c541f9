import { setTimeout as sleep } from 'node:timers/promises'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import { FIRST_DAYS, startOfDays } from '#bff/time/history-limits.ts'

const POLL_MS = 100
const PATIENCE_MS = 20_000

type Stored = Pick<Awaited<ReturnType<ThreatStore['state']>>, 'status' | 'from'>

/** Waits until the days of the first page are read from our own service, or that takes too long. */
export async function untilFirstDays(
  readState: () => Promise<Stored>,
  patienceMs: number = PATIENCE_MS,
): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += POLL_MS) {
    if (hasFirstDays(await readState())) return
    await sleep(POLL_MS)
  }
}

function hasFirstDays({ status, from }: Stored): boolean {
  if (status !== 'filling') return status !== 'empty'
  return from !== null && Date.parse(from) <= startOfDays(FIRST_DAYS, Date.now()).getTime()
}
