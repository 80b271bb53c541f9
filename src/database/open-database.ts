import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pause } from '#server/start-loop.ts'
import { createTurns } from '#server/take-turns.ts'
import type { Database, QueryAnswer } from './database.ts'
import { isDatabaseAway, isDatabaseUnwritable, QUERY_CANCELED, StandbyError } from './is-database-away.ts'
import { affectsRows } from './read-rows.ts'
import { createStatementNames, type StatementNames } from './statement-names.ts'

export type OpenDatabase = Database & {
  close(): Promise<void>
  pool: pg.Pool
  /** Returns true if the database accepts writes: it reports so, and none failed just now for lack of space. */
  isWritable(): Promise<boolean>
  /** Returns how many statements and transactions wait for a connection. */
  waitingCount(): number
}

export type OpenDatabaseOptions = {
  url: string
  /** The name of the connections in `pg_stat_activity`. */
  applicationName?: string | undefined
  /** Most connections at a time. */
  max?: number
  /** One statement may run this long; 0 means no limit. */
  statementTimeoutMs?: number
  /**
   * Lets PostgreSQL plan a prepared statement once for all its values (`plan_cache_mode`). For statements that find few
   * rows by their key: one with rare and common values needs a plan for each.
   */
  hasSharedPlans?: boolean
}

const CONNECT_TIMEOUT_MS = 5_000
/** A server that does not even say that a statement took too long is not there any more. */
const SILENCE_MAX_MS = 5_000
const SILENCE_TEXT = /^(?:query read timeout|connection terminated due to connection timeout)/i
/** While it is silent, a statement waits no longer than this for it, nor does a transaction whose turn it is. */
const SILENCE_PATIENCE_MS = 1_000
const SILENCE_PAUSE_MS = 250
/** Some connections only listen, or hold a lock: that their server is gone is noticed without a query. */
const SILENCE_CHECKED_AFTER_MS = 30_000
/**
 * The server ends what says nothing for so long, and with it its locks: the process or the machine may be gone without a
 * word. Ours end idle connections after 10 s, and ask on those that wait.
 */
const FORGOTTEN_AFTER_MS = 20_000
/** A full disk is known by writes that fail; Lantern makes some every few seconds. */
const UNWRITABLE_FOR_MS = 60_000
/** The share of connections that transactions may have at once. They wait for one another's locks; statements go on. */
const TRANSACTIONS_SHARE = 0.6
const RETRIES = 3
/** Serialization failure, deadlock. */
const RETRYABLE_CODES = new Set(['40001', '40P01'])

/** Opens a pool on one database and runs a first query, so that a wrong address fails here. */
export async function openDatabase({
  url,
  applicationName = 'lantern',
  max = 10,
  statementTimeoutMs = 5_000,
  hasSharedPlans = false,
}: OpenDatabaseOptions): Promise<OpenDatabase> {
  // A connection that others use is free again once their statements are over.
  const connectTimeoutMs = Math.max(CONNECT_TIMEOUT_MS, statementTimeoutMs)
  const pool = new pg.Pool({
    connectionString: url,
    application_name: applicationName,
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + SILENCE_MAX_MS }),
    onConnect: (client) => prepareConnection(client, { statementTimeoutMs, hasSharedPlans }),
    keepAlive: true,
    keepAliveInitialDelayMillis: SILENCE_CHECKED_AFTER_MS,
    types: { getTypeParser },
  })
  // A connection that breaks fails the query under way, and the pool replaces it: no other query is concerned, but
  // without listeners it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))

  let refusedAt = Number.NEGATIVE_INFINITY
  const silence = createSilence(pool)
  const transactions = createTurns(Math.ceil(max * TRANSACTIONS_SHARE), connectTimeoutMs)
  const noticing = async <T>(ask: () => Promise<T>) => {
    await silence.over()
    try {
      return await ask()
    } catch (error) {
      if (isDatabaseUnwritable(error)) refusedAt = performance.now()
      if (error instanceof Error && SILENCE_TEXT.test(error.message)) silence.begin()
      throw error
    }
  }
  const names = createStatementNames()
  const database: Database = {
    query: (text, values) => noticing(() => runQuery(pool, names, text, values)),
    transaction: (run) =>
      noticing(() =>
        transactions.run(async () => {
          await silence.over()
          return transact(pool, names, run)
        }),
      ),
  }
  async function isWritable(): Promise<boolean> {
    const mayWrite = await affectsRows(database)`
      select where current_setting('transaction_read_only') = 'off'`
    return mayWrite && performance.now() - refusedAt > UNWRITABLE_FOR_MS
  }
  try {
    await database.query('select 1')
  } catch (error) {
    await pool.end()
    throw error
  }
  return {
    ...database,
    pool,
    isWritable,
    waitingCount: () => pool.waitingCount + transactions.waitingCount(),
    close: () => pool.end(),
  }
}

/** After a server was silent for long, one connection checks whether it is back, instead of all that wait. */
function createSilence(pool: pg.Pool) {
  let ending: Promise<void> | null = null

  async function untilBack(): Promise<void> {
    while (!pool.ending && !(await isBack())) await pause(SILENCE_PAUSE_MS)
    ending = null
  }

  async function isBack(): Promise<boolean> {
    const client = new pg.Client(pool.options)
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      return true
    } catch {
      return false
    } finally {
      client.end().catch(() => {})
    }
  }

  return {
    begin() {
      ending ??= untilBack()
    },
    async over(): Promise<void> {
      if (!ending) return
      const isOver = await Promise.race([
        ending.then(() => true),
        sleep(SILENCE_PATIENCE_MS, false, { ref: false }),
      ])
      if (!isOver) throw new Error('Query read timeout: the server has said nothing for a while')
    },
  }
}

/**
 * Not by options of the connection, which poolers refuse. Also where the limit is 0: a role may have one of its own, so
 * short that it ends even this.
 */
async function prepareConnection(
  client: pg.ClientBase,
  { statementTimeoutMs, hasSharedPlans }: { statementTimeoutMs: number; hasSharedPlans: boolean },
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await client.query(`set statement_timeout = ${statementTimeoutMs}`)
      break
    } catch (error) {
      const isLimit = error instanceof pg.DatabaseError && error.code === QUERY_CANCELED
      if (attempt === RETRIES || !isLimit) throw error
    }
  }
  const planCacheMode = hasSharedPlans ? 'auto' : 'force_custom_plan'
  await client.query(`set timezone = 'UTC'; set plan_cache_mode = ${planCacheMode}`)
  if (statementTimeoutMs > 0) {
    await client.query(
      `set idle_session_timeout = ${FORGOTTEN_AFTER_MS}; set idle_in_transaction_session_timeout = ${FORGOTTEN_AFTER_MS}`,
    )
  }
  const { rows } = await client.query('select pg_is_in_recovery() as "isStandby"')
  if (rows[0]?.isStandby) throw new StandbyError('The server is a standby')
}

async function transact<T>(
  pool: pg.Pool,
  names: StatementNames,
  run: (db: Database) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await transactOnce(pool, names, run)
    } catch (error) {
      if (attempt === RETRIES || !isRetryable(error)) throw error
    }
  }
}

async function transactOnce<T>(
  pool: pg.Pool,
  names: StatementNames,
  run: (db: Database) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  const inside: Database = {
    query: (text, values) => runQuery(client, names, text, values),
    transaction: (join) => join(inside),
  }
  let broken = false
  try {
    await client.query('begin')
    const result = await run(inside)
    await client.query('commit')
    return result
  } catch (error) {
    // A server that is away gets no cancellation, and ends the statement by itself.
    broken = isDatabaseAway(error)
    if (!broken) {
      await client.query('rollback').catch(() => {
        broken = true
      })
    }
    throw error
  } finally {
    client.release(broken)
  }
}

/**
 * Runs a part of a transaction. If it fails, what it has written is undone, and the transaction can go on. Throws its error,
 * or that of a connection which is broken.
 */
export async function inSavepoint<T>(tx: Database, run: () => Promise<T>): Promise<T> {
  await tx.query('savepoint part')
  try {
    const result = await run()
    await tx.query('release savepoint part')
    return result
  } catch (error) {
    await tx.query('rollback to savepoint part')
    throw error
  }
}

async function runQuery(
  on: pg.Pool | pg.PoolClient,
  names: StatementNames,
  text: string,
  values?: readonly unknown[],
): Promise<QueryAnswer> {
  const answer: pg.QueryResult | pg.QueryResult[] = await on.query({
    text,
    // A text without parameters may hold several statements, which cannot be prepared.
    ...(values?.length && { values: [...values], name: names.nameOf(text) }),
  })
  // Several statements in one text, as in a migration, answer one result each.
  const last = Array.isArray(answer) ? answer.at(-1) : answer
  return { rows: last?.rows ?? [], rowCount: last?.rowCount ?? 0 }
}

/** Returns true if PostgreSQL expects the whole transaction to be run again. */
export function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && RETRYABLE_CODES.has(error.code ?? '')
}

const { builtins } = pg.types
const TEXT_TYPES = new Set<number>([builtins.DATE, builtins.TIME, builtins.TIMESTAMP, builtins.TIMESTAMPTZ])

/** int8 as a number (our counts are far below 2^53), times as the text that SQL made of them. */
const getTypeParser: typeof pg.types.getTypeParser = (type: number, format?: 'text' | 'binary') => {
  if (type === builtins.INT8) return Number
  if (TEXT_TYPES.has(type)) return String
  return pg.types.getTypeParser(type, format)
}
