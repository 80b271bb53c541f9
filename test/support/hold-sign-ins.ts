import { onTestFinished } from 'vitest'
import * as z from 'zod/mini'
import { type OpenDatabase, openDatabase } from '#database/open-database.ts'
import { takeDatabase, urlOf } from './with-database.ts'

const LOCK = 1
const UNHINDERED = 'unhindered'
/** Far more than any wait of a test on a busy machine. */
const STATEMENT_TIMEOUT_MS = 30_000

/** A database on which sessions are about to begin, and do not until `release`. */
export async function holdSignIns() {
  const taken = await takeDatabase('bff')
  const url = new URL(await urlOf(taken))
  async function open(name: string): Promise<OpenDatabase> {
    url.searchParams.set('application_name', name)
    const database = await openDatabase({ url: url.href, max: 30, statementTimeoutMs: STATEMENT_TIMEOUT_MS })
    onTestFinished(() => database.close())
    return database
  }
  const [held, unhindered] = [await open('held'), await open(UNHINDERED)]
  // A statement's trigger: what the statement sees of the account is older than its wait.
  await unhindered.query(`
    create function wait_for_release() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${LOCK});
      return null;
    end
    $$;
    create trigger held before insert on session for each statement
      when (current_setting('application_name') <> '${UNHINDERED}') execute function wait_for_release()`)
  const holder = await unhindered.pool.connect()
  await holder.query(`select pg_advisory_lock(${LOCK})`)
  let isReleased = false
  function release(): void {
    if (!isReleased) holder.release(true)
    isReleased = true
  }
  onTestFinished(release)
  return { held, unhindered, countStored: () => countWaiting(unhindered), release }
}

/** How many statements on the database wait for a lock that another holds. */
export async function countWaiting(database: OpenDatabase): Promise<number> {
  const { rows } = await database.query(
    `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return z.object({ count: z.number() }).parse(rows[0]).count
}
