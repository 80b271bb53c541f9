import { type ReadNow, readDatabaseTime } from '#delivery/ledger-access.ts'

/** A clock that runs faster from a moment on, the same in all processes: hours of a ledger in minutes. */
export function createBenchClock(speed: number, originMs: number): ReadNow {
  return speed === 1 ? readDatabaseTime : async () => new Date(originMs + (Date.now() - originMs) * speed)
}
