import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { inject, onTestFinished } from 'vitest'
import type { Database } from '#database/database.ts'
import { listMigrations, migrate } from '#database/migrate.ts'
import { type OpenDatabase, openDatabase } from '#database/open-database.ts'

/** `empty` is nobody's room: a database without a schema. */
type Room = 'service' | 'bff' | 'empty'

/** Any number: test files that need the same template at the same time make it one after the other. */
const TEMPLATE_LOCK = 4_812_007
/** Far more than any statement takes on a busy machine. */
const STATEMENT_TIMEOUT_MS = 60_000

/** A test with a database of its own, migrated as the room's is, and dropped afterwards. */
export function withDatabase(
  room: Room,
  run: (database: OpenDatabase) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const { database, drop } = await createDatabase(room)
    try {
      await run(database)
    } finally {
      await drop()
    }
  }
}

/** The same for the test that is running, where what it starts from is common to a file's tests. */
export async function takeDatabase(room: Room): Promise<OpenDatabase> {
  const { database, drop } = await createDatabase(room)
  onTestFinished(drop)
  return database
}

async function createDatabase(room: Room): Promise<{ database: OpenDatabase; drop(): Promise<void> }> {
  const admin = await openAdmin()
  const name = `test_${randomBytes(8).toString('hex')}`
  const template = await ensureTemplate(admin, room)
  await admin.query(`create database ${name} template ${template} strategy file_copy`)
  const database = await openDatabase({ url: databaseUrl(name), statementTimeoutMs: STATEMENT_TIMEOUT_MS })
  return {
    database,
    async drop() {
      await database.close()
      await admin.query(`drop database ${name} with (force)`)
    },
  }
}

/** One for all tests of a worker: it closes its connections by itself while nobody needs them. */
let openedAdmin: Promise<OpenDatabase> | null = null

function openAdmin(): Promise<OpenDatabase> {
  openedAdmin ??= openDatabase({ url: databaseUrl('postgres'), max: 1, statementTimeoutMs: 0 })
  return openedAdmin
}

/** The address of one database of the run's cluster. */
export function databaseUrl(name: string): string {
  return `${inject('clusterUrl')}${name}`
}

/** The address of a test's database, for another pool or process. */
export async function urlOf(database: Database): Promise<string> {
  const { rows } = await database.query('select current_database() as name')
  return databaseUrl(String(Object(rows[0]).name))
}

/** Reading some 150 migrations takes as long as making a database: a worker makes sure of each template once. */
const templates = new Map<Room, Promise<string>>()

function ensureTemplate(admin: Database, room: Room): Promise<string> {
  const known = templates.get(room) ?? makeTemplate(admin, room)
  templates.set(room, known)
  return known
}

/** Named for the migrations' text, so that watch mode makes a new one when they change. */
async function makeTemplate(admin: Database, room: Room): Promise<string> {
  const folders = room === 'empty' ? [] : [room, 'delivery'].map(migrationsOf)
  const hash = createHash('sha256')
  for (const { file } of await listMigrations(folders)) hash.update(await readFile(file))
  const name = `template_${room}_${hash.digest('hex').slice(0, 16)}`

  await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
  try {
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await createTemplate(admin, name, folders)
  } finally {
    await admin.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK])
  }
  return name
}

function migrationsOf(room: string): URL {
  return new URL(`../../src/${room}/migrations/`, import.meta.url)
}

/** Takes its name only once it is migrated: a failed migration fails every test that needs it, each with the reason. */
async function createTemplate(admin: Database, name: string, folders: readonly URL[]): Promise<void> {
  const draft = `draft_${name}`
  await admin.query(`drop database if exists ${draft}`)
  await admin.query(`create database ${draft}`)
  const database = await openDatabase({ url: databaseUrl(draft), max: 1, statementTimeoutMs: 0 })
  try {
    await migrate(database, folders)
  } finally {
    await database.close()
  }
  await admin.query(`alter database ${draft} rename to ${name}`)
}
