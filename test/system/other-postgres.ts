import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOBODY } from '#database/embedded/postgres-user.ts'
import { startCluster } from '#database/embedded/start-cluster.ts'
import { openDatabase } from '#database/open-database.ts'
import { readRoleStatements } from '#test/support/read-role-statements.ts'

export const ROLE_PASSWORD = 'of-its-own'

/** A folder of the ordinary user that programs run as, where we are root. */
export async function makeOwnFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-bench-own-'))
  if (process.getuid?.() === 0) await chown(folder, NOBODY.uid, NOBODY.gid)
  return folder
}

export function asOrdinaryUser(
  command: readonly [string, ...string[]],
  { uid, gid } = NOBODY,
): readonly [string, ...string[]] {
  if (process.getuid?.() !== 0) return command
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...command]
}

/** In the place of one that a machine has, made ready by the file that its administrator is given. */
export async function startOtherPostgres() {
  const folder = await makeOwnFolder()
  const cluster = await startCluster({ folder, password: randomBytes(16).toString('hex'), log: () => {} })
  const admin = await openDatabase({ url: cluster.url('postgres'), max: 1 })
  const statements = [
    ...(await readRoleStatements(ROLE_PASSWORD)),
    `create role service login password '${ROLE_PASSWORD}'`,
    'create database service owner service',
  ]
  for (const statement of statements) await admin.query(statement)
  const urlOf = (role: string, database: string) =>
    Object.assign(new URL(cluster.url(database)), { username: role, password: ROLE_PASSWORD }).href
  return {
    port: cluster.port,
    admin,
    settings: {
      DATABASE_URL: urlOf('lantern_runtime', 'lantern'),
      DATABASE_OWNER_URL: urlOf('lantern_owner', 'lantern'),
      SERVICE_DATABASE_URL: urlOf('service', 'service'),
    },
    stop: async () => {
      await admin.close()
      await cluster.stop()
      await rm(folder, { recursive: true })
    },
  }
}
