import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AnsweredRequest } from '#bff/http/server.ts'
import type { CallCount } from '#bff/upstream/quota/ledger-queries.ts'
import { type AlertProblemKind, alertProblemKindSchema } from '#contract/bff/alert-health.ts'
import { type SetState, type Source, type StoreState, sourceSchema } from '#contract/bff/source.ts'
import type { Build } from '#contract/build.ts'
import type { DeliveryCounts } from '#contract/delivery.ts'
import { routeSetSchema } from '#contract/route-set.ts'

/** The facts of one moment. Facts that the database cannot give are null. */
export type Moment = {
  key: Source['key']
  sets: Source['sets']
  callsToday: readonly CallCount[] | null
  window: StoreState | null
  /** The dashboard's own ledger has these. */
  deliveries: DeliveryCounts | null
  destinations: Readonly<Record<string, number>> | null
  /** Alerts do not reach people because of these kinds of problems. */
  problems: readonly AlertProblemKind[] | null
  /** Seconds since the epoch; 0 for never. */
  lastBackupAt: number | null
  isDatabaseWritable: boolean
  openPages: number
  connections: { total: number; idle: number; waiting: number }
}

/** Seconds: from an answer that was kept to one that waited for the vendor. */
const DURATION_BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]
/** It lasts as long as a page is open. */
const STREAM_ROUTE = '/bff/live'
const KEY_STATES = sourceSchema.shape.key.options
const WINDOW_STATUSES = ['empty', 'filling', 'partial', 'complete'] as const

/** The figures of this process, and of the database and the vendor as it knows them. */
export function createTelemetry(readMoment: () => Promise<Moment>, built: Build) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const requests = new Histogram({
    name: 'lantern_http_request_duration_seconds',
    registers,
    buckets: DURATION_BUCKETS,
    help: 'Requests of browsers by route and status; status "none" where the client left first.',
    labelNames: ['method', 'route', 'status'] as const,
  })
  const build = new Gauge({
    name: 'lantern_build_info',
    registers,
    labelNames: ['version', 'commit'] as const,
    help: 'Always 1; version and commit of the code that runs are its labels.',
  })
  build.set(built, 1)
  const scrapeFailures = new Counter({
    name: 'lantern_database_unreadable_total',
    registers,
    help: 'Scrapes of this endpoint that the database could not answer.',
  })
  const gauges = createGauges(registers)

  return {
    observe({ method, route, status, durationMs }: AnsweredRequest): void {
      if (route === STREAM_ROUTE) return
      requests.observe({ method, route, status: String(status ?? 'none') }, durationMs / 1_000)
    },
    /** Returns the metrics in the text format of Prometheus. */
    async render(): Promise<{ contentType: string; text: string }> {
      const moment = await readMoment()
      if (moment.callsToday === null) scrapeFailures.inc()
      gauges.show(moment)
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
    close: () => registry.clear(),
  }
}

export type Telemetry = ReturnType<typeof createTelemetry>

function createGauges(registers: Registry[]) {
  const gauge = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `lantern_${name}`, help, registers, labelNames })

  const key = gauge('vendor_key_state', '1 for the state that the key is in.', 'state')
  const set = gauge('vendor_set_state', '1 for the state that an API of the vendor is in.', 'set', 'state')
  const left = gauge('vendor_calls_left', 'Calls that are left of a limit period.', 'set', 'period')
  const limit = gauge('vendor_calls_limit', 'Calls that a limit period allows.', 'set', 'period')
  const calls = gauge(
    'vendor_calls_today',
    'Calls of the UTC day, of all processes, by what came of them; "saved" were not made.',
    ...(['set', 'priority', 'outcome'] as const),
  )
  const status = gauge('window_status', '1 for the status of the stored threats.', 'status')
  const threats = gauge('window_threats', 'Threats that are stored.')
  const missing = gauge('window_missing_threats', 'Threats that the vendor has and Lantern could not read.')
  const readAt = gauge(
    'window_last_read_timestamp_seconds',
    'When the vendor was last read with success, Unix time; 0 for never.',
  )
  const trouble = gauge('window_trouble', '1 while something keeps the stored threats from being kept up.')
  const up = gauge('database_up', 'Whether the database answers.')
  const writable = gauge(
    'database_writable',
    'Whether the database takes writes: 0 while it is full or read-only.',
  )
  const connections = gauge('database_connections', 'Connections of this process.', 'state')
  const deliveries = gauge(
    'deliveries',
    'Messages to people outside in the dashboard’s ledger, by state; those that are old are forgotten.',
    'state',
  )
  const destinations = gauge(
    'destinations',
    'Destinations in the dashboard’s ledger: ended by 410, failing since the last attempt, proven by it, or unproven.',
    'state',
  )
  const problems = gauge('alert_problems', 'What keeps alerts from people now, by kind.', 'kind')
  const lastBackup = gauge(
    'last_backup_timestamp_seconds',
    'When the last backup was finished by Lantern’s own command, Unix time; 0 for never.',
  )
  const pages = gauge('open_pages', 'Pages that hear of changes from this process.')

  function showSet(name: string, { status: state, budgets }: SetState): void {
    set.set({ set: name, state }, 1)
    for (const [period, budget] of Object.entries(budgets)) {
      if (budget?.remaining != null) left.set({ set: name, period }, budget.remaining)
      if (budget?.limit != null) limit.set({ set: name, period }, budget.limit)
    }
  }

  function showStore(state: StoreState): void {
    for (const each of WINDOW_STATUSES) status.set({ status: each }, Number(state.status === each))
    threats.set(state.threats)
    missing.set(state.missing?.unreadable?.count ?? 0)
    readAt.set(state.lastReadAt === null ? 0 : Date.parse(state.lastReadAt) / 1_000)
    trouble.set(Number(state.trouble !== null))
  }

  return {
    show(moment: Moment): void {
      for (const labelled of [set, left, limit, calls]) labelled.reset()
      for (const state of KEY_STATES) key.set({ state }, Number(moment.key === state))
      for (const name of routeSetSchema.options) showSet(name, moment.sets[name])
      for (const { count, ...labels } of moment.callsToday ?? []) calls.set(labels, count)
      // Without the database, the last known values stay.
      if (moment.window) showStore(moment.window)
      for (const [state, count] of Object.entries(moment.deliveries ?? {})) deliveries.set({ state }, count)
      for (const [state, count] of Object.entries(moment.destinations ?? {}))
        destinations.set({ state }, count)
      for (const kind of moment.problems ? alertProblemKindSchema.options : [])
        problems.set({ kind }, moment.problems?.filter((one) => one === kind).length ?? 0)
      if (moment.lastBackupAt !== null) lastBackup.set(moment.lastBackupAt)
      writable.set(Number(moment.isDatabaseWritable))
      up.set(Number(moment.callsToday !== null))
      const { total, idle, waiting } = moment.connections
      connections.set({ state: 'busy' }, total - idle)
      connections.set({ state: 'idle' }, idle)
      connections.set({ state: 'waiting' }, waiting)
      pages.set(moment.openPages)
    },
  }
}
