import { listProblems, type ProblemDependencies } from '#bff/alerts/health/list-problems.ts'
import { readMailFault } from '#bff/alerts/health/notify-problems.ts'
import type { Log } from '#bff/http/log.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import { countCallsToday } from '#bff/upstream/quota/ledger-queries.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { countDestinations } from '#delivery/destination-queries.ts'
import { countDeliveries } from '#delivery/ledger.ts'
import { readLastBackup } from './last-backup.ts'
import type { Moment } from './telemetry.ts'

export type MomentSources = {
  database: OpenDatabase
  upstream: Upstream
  store: ThreatStore
  clock: Clock
  problems: ProblemDependencies
  log: Log
  countOpenPages: () => number
}

/** Reads what is known now; costs no call. Never fails: what cannot be read is null. */
export async function readMoment(sources: MomentSources): Promise<Moment> {
  const { database, upstream, store, clock, log, countOpenPages } = sources
  const orNull = <T>(read: Promise<T>) =>
    read.catch((error: unknown) => {
      log.error('metrics-not-read', error)
      return null
    })
  const readProblems = async () => listProblems(database, sources.problems, await readMailFault(database))
  const [{ key, sets }, callsToday, state, isWritable, deliveries, destinations, problems, lastBackupAt] =
    await Promise.all([
      upstream.state(),
      orNull(countCallsToday(database, clock.nowMs())),
      orNull(store.state()),
      orNull(database.isWritable()),
      orNull(countDeliveries(database)),
      orNull(countDestinations(database)),
      orNull(readProblems()),
      orNull(readLastBackup(database)),
    ])
  const { totalCount: total, idleCount: idle } = database.pool
  return {
    key,
    sets,
    callsToday,
    window: state,
    deliveries,
    destinations,
    problems: problems && [
      ...problems.map(({ kind }) => kind),
      ...(isWritable === false ? (['readOnly'] as const) : []),
    ],
    lastBackupAt,
    isDatabaseWritable: isWritable ?? false,
    openPages: countOpenPages(),
    connections: { total, idle, waiting: database.waitingCount() },
  }
}
