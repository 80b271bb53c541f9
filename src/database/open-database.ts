import pg from 'pg'
import type { Database, QueryAnswer } from './database.ts'

export type OpenDatabase = Database & { close(): Promise<void>; pool: pg.Pool }

export type OpenDatabaseOptions = {
  url: string
  /** Most connections at a time. */
  max?: number
  /** How long one statement may run; 0 is for ever. */
  statementTimeoutMs?: number
}

const CONNECT_TIMEOUT_MS = 5_000
/** A server that does not even say that a statement took too long is not there any more. */
const SILENCE_MAX_MS = 5_000
/** Some connections only listen, or hold a lock: that their server is gone is noticed without a query. */
const SILENCE_CHECKED_AFTER_MS = 30_000
const RETRIES = 3
/** Serialization failure, deadlock: PostgreSQL expects the transaction to be run again. */
const RETRYABLE_CODES = new Set(['40001', '40P01'])

/** Opens a pool on one database and runs a first query, so that a wrong address fails here. */
export async function openDatabase({
  url,
  max = 10,
  statementTimeoutMs = 5_000,
}: OpenDatabaseOptions): Promise<OpenDatabase> {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + SILENCE_MAX_MS }),
    // Also where it is 0: a role may have a limit of its own.
    options: `-c timezone=UTC -c statement_timeout=${statementTimeoutMs}`,
    keepAlive: true,
    keepAliveInitialDelayMillis: SILENCE_CHECKED_AFTER_MS,
    types: { getTypeParser },
  })
  // A connection that breaks fails the query under way, and the pool replaces it: no other query is concerned, but
  // without listeners it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))

  const database: Database = {
    query: (text, values) => runQuery(pool, text, values),
    transaction: (run) => transact(pool, run),
  }
  try {
    await database.query('select 1')
  } catch (error) {
    await pool.end()
    throw error
  }
  return { ...database, pool, close: () => pool.end() }
}

async function transact<T>(pool: pg.Pool, run: (db: Database) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await transactOnce(pool, run)
    } catch (error) {
      if (attempt === RETRIES || !isRetryable(error)) throw error
    }
  }
}

async function transactOnce<T>(pool: pg.Pool, run: (db: Database) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const inside: Database = {
    query: (text, values) => runQuery(client, text, values),
    transaction: (join) => join(inside),
  }
  let broken = false
  try {
    await client.query('begin')
    const result = await run(inside)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {
      broken = true
    })
    throw error
  } finally {
    client.release(broken)
  }
}

async function runQuery(
  on: pg.Pool | pg.PoolClient,
  text: string,
  values?: readonly unknown[],
): Promise<QueryAnswer> {
  const answer: pg.QueryResult | pg.QueryResult[] = await on.query(text, values && [...values])
  // Several statements in one text, as in a migration, answer one result each.
  const last = Array.isArray(answer) ? answer.at(-1) : answer
  return { rows: last?.rows ?? [], rowCount: last?.rowCount ?? 0 }
}

function isRetryable(error: unknown): boolean {
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
