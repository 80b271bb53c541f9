import * as z from 'zod/mini'
import { pollUntil } from '#server/poll-until.ts'
import { addressOf, orDatabaseFault } from './database-fault.ts'
import { isDatabaseAway } from './is-database-away.ts'
import { type OpenDatabase, openDatabase } from './open-database.ts'
import { onlyColumn, readRow } from './read-rows.ts'

const WAIT_MS = 60_000
const POLL_MS = 500
const LEAST_VERSION = 16
const TOO_MANY_CONNECTIONS = '53300'

type Awaited = {
  url: string
  /** The setting that names it. */
  setting: string
  say(line: string): void
  waitMs?: number
}

type Connection = {
  query(text: string): Promise<{ rows: { pid?: unknown }[] }>
  release(isDestroyed: boolean): void
}

/** Waits until a database of an operator's answers, and looks whether it is one that can be used. */
export async function awaitDatabase({ url, setting, say, waitMs = WAIT_MS }: Awaited): Promise<void> {
  let hasReported = false
  const open = () => openDatabase({ url, max: 2 })
  const openUnlessStarting = () =>
    open().catch((error: unknown) => {
      if (!isStarting(error)) throw error
      const seconds = Math.round(waitMs / 1_000)
      if (!hasReported)
        say(`The database at ${addressOf(url)} does not answer yet; waiting up to ${seconds} s`)
      hasReported = true
      return undefined
    })
  await orDatabaseFault({ url, setting }, async () => {
    const database =
      (await pollUntil(openUnlessStarting, { everyMs: POLL_MS, forMs: waitMs })) ?? (await open())
    try {
      const version = await readVersion(database)
      if (version < LEAST_VERSION) {
        throw new Error(
          `The database at ${addressOf(url)} is PostgreSQL ${version}: Lantern needs ${LEAST_VERSION} or newer`,
        )
      }
      if (await isPooledByTransaction(database)) {
        throw new Error(
          `The database at ${addressOf(url)} is behind a pooler in transaction mode, where locks and notices do not work: set pool_mode = session there, or ${setting} to the database itself`,
        )
      }
    } finally {
      await database.close()
    }
  })
}

async function readVersion(database: OpenDatabase): Promise<number> {
  return readRow(database, onlyColumn(z.int()))`
    select current_setting('server_version_num')::integer / 10000 as version`
}

/** A host that gets its name, or a server that starts: others than those that refuse us. */
function isStarting(error: unknown): boolean {
  const [first = error] = error instanceof AggregateError ? error.errors : []
  const code = first instanceof Error && 'code' in first ? first.code : null
  return code === 'EAI_AGAIN' || (isDatabaseAway(first) && code !== TOO_MANY_CONNECTIONS)
}

/**
 * A pooler in transaction mode gives the connection of an idle client to the next: then two clients meet on one, or a
 * client does not find its own again while another is in a transaction.
 */
export async function isPooledByTransaction({
  pool,
}: {
  pool: { connect(): Promise<Connection> }
}): Promise<boolean> {
  const [one, other] = await Promise.all([pool.connect(), pool.connect()])
  const backendOf = async (client: Connection) => {
    const { rows } = await client.query('select pg_backend_pid() as pid')
    return rows[0]?.pid
  }
  try {
    const before = await backendOf(one)
    await other.query('begin')
    const between = await backendOf(other)
    const isShared = before === between || before !== (await backendOf(one))
    await other.query('rollback')
    return isShared
  } catch (error) {
    if (error instanceof Error && /statement pooling/.test(error.message)) return true
    throw error
  } finally {
    one.release(true)
    other.release(true)
  }
}
