import type { ThreatStore } from '#bff/store/threat-store.ts'
import { FIRST_DAYS, startOfDays } from '#bff/time/history-limits.ts'
import { pollUntil } from '#server/poll-until.ts'

const POLL_MS = 100
const PATIENCE_MS = 20_000

type Stored = Pick<Awaited<ReturnType<ThreatStore['state']>>, 'status' | 'from'>

/** Waits until the days of the first page are read from our own service, or that takes too long. */
export async function untilFirstDays(
  readState: () => Promise<Stored>,
  patienceMs: number = PATIENCE_MS,
): Promise<void> {
  await pollUntil(async () => hasFirstDays(await readState()), { everyMs: POLL_MS, forMs: patienceMs })
}

function hasFirstDays({ status, from }: Stored): boolean {
  if (status !== 'filling') return status !== 'empty'
  return from !== null && Date.parse(from) <= startOfDays(FIRST_DAYS, Date.now()).getTime()
}
