import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import type { Database } from '../database.ts'
import { openDatabase } from '../open-database.ts'
import { execute, onlyColumn, readRows } from '../read-rows.ts'

/** These roles sign in to the embedded PostgreSQL, each to its database. */
const DATABASE_OF = {
  /** Migrates the dashboard's database. */
  lantern_owner: 'lantern_bff',
  /** Reads and writes its rows, and no more. */
  lantern_runtime: 'lantern_bff',
  lantern_service: 'lantern_service',
} as const
export type DatabaseRole = keyof typeof DATABASE_OF

const LOGINS = ['lantern_owner', 'lantern_runtime', 'lantern_service'] as const

const OWNERS = [
  { name: 'lantern_bff', owner: 'lantern_owner' },
  { name: 'lantern_service', owner: 'lantern_service' },
] as const

const textSchema = onlyColumn(z.string())
const databaseSchema = z.object({ name: z.string(), owner: z.string() })

/** The addresses of the roles. Their passwords follow from the superuser's, and lead nobody back to it. */
export function roleUrls({ password, port }: { password: string; port: number }) {
  const passwordOf = rolePasswords(password)
  return (role: DatabaseRole) =>
    `postgres://${role}:${passwordOf(role)}@127.0.0.1:${port}/${DATABASE_OF[role]}`
}

function rolePasswords(password: string): (role: DatabaseRole) => string {
  const key = createHmac('sha256', password).update('roles').digest()
  return (role) => createHmac('sha256', key).update(role).digest('base64url')
}

/**
 * Makes the roles and their databases as the superuser, which does nothing else. What an earlier version ran as the
 * superuser is handed over to them.
 */
export async function prepareRoles(urlOf: (database: string) => string, password: string): Promise<void> {
  const admin = await openDatabase({ url: urlOf('postgres'), max: 1, statementTimeoutMs: 0 })
  try {
    await makeRoles(admin, password)
    const rows = await readRows(admin, databaseSchema)`
      select datname as name, pg_get_userbyid(datdba) as owner from pg_database`
    const databases = new Map(rows.map(({ name, owner }) => [name, owner]))
    for (const { name, owner } of OWNERS) {
      if (!databases.has(name)) await admin.query(`create database ${name} owner ${owner}`)
      else if (databases.get(name) !== owner) await handOver(urlOf(name), name, owner)
    }
    await execute(admin)`
      revoke all on database postgres, template1, lantern_bff, lantern_service from public;
      grant connect on database lantern_bff to lantern_runtime`
  } finally {
    await admin.close()
  }
}

/** Anew at each start: a role may change its own password and settings, and so could whoever speaks through it. */
async function makeRoles(admin: Database, password: string): Promise<void> {
  const passwordOf = rolePasswords(password)
  const known = new Set(await readRows(admin, textSchema)`select rolname from pg_roles`)
  const making = ['lantern_audit', ...LOGINS].filter((role) => !known.has(role))
  await admin.query(
    [
      ...making.map((role) => `create role ${role}`),
      // The rights are not inherited: a change to the audit record has to set the role explicitly.
      'grant lantern_audit to lantern_owner with inherit false',
      ...LOGINS.flatMap((role) => [
        `alter role ${role} login password '${passwordOf(role)}'`,
        `alter role ${role} reset all`,
      ]),
    ].join(';'),
  )
}

async function handOver(url: string, name: string, owner: string): Promise<void> {
  const database = await openDatabase({ url, max: 1, statementTimeoutMs: 0 })
  try {
    await database.transaction(async (tx) => {
      const statements = await readRows(tx, textSchema)`
        select format('alter table %s owner to ${owner}', oid::regclass)
          from pg_class
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'S')
           -- A sequence of a column goes with its table.
           and not exists (select from pg_depend where objid = pg_class.oid and relkind = 'S' and deptype in ('a', 'i'))
        union all
        select format('alter routine %s owner to ${owner}', oid::regprocedure)
          from pg_proc where pronamespace = 'public'::regnamespace`
      for (const statement of statements) await tx.query(statement)
      await tx.query(`alter database ${name} owner to ${owner}`)
    })
  } finally {
    await database.close()
  }
}
