import type { Database } from '#database/database.ts'
import { createKey } from './create-key.ts'
import { type ListedKey, listKeys } from './list-keys.ts'
import type { KeysCommand } from './read-keys-command.ts'
import { revokeKey, rotateKey } from './replace-key.ts'

export type Terminal = {
  /** A script may want to read this output: a token, a table. */
  print(line: string): void
  /** Only a person reads this output. */
  notify(line: string): void
}

/** Does what a command says; false when the key it names cannot be used so. */
export async function runKeysCommand(
  db: Database,
  command: Exclude<KeysCommand, { name: 'help' }>,
  { print, notify }: Terminal,
): Promise<boolean> {
  if (command.name === 'create') {
    const { id, token } = await createKey(db, command.key)
    notify(`Made ${id}. This is its token, shown only now:`)
    print(token)
    return true
  }
  if (command.name === 'list') {
    const keys = await listKeys(db)
    if (keys.length === 0) notify('There are no keys yet.')
    else for (const line of formatKeys(keys)) print(line)
    return true
  }
  if (command.name === 'rotate') {
    const fresh = await rotateKey(db, command.keyId, { overlapHours: command.overlapHours })
    if (!fresh) {
      notify(`There is no key ${command.keyId} to rotate: unknown, ended, expired or being replaced already.`)
      return false
    }
    notify(
      `Made ${fresh.id}; the old key works for ${command.overlapHours} more hours. The token, shown only now:`,
    )
    print(fresh.token)
    return true
  }
  const isRevoked = await revokeKey(db, command.keyId)
  notify(isRevoked ? `Revoked ${command.keyId}.` : `There is no working key ${command.keyId}.`)
  return isRevoked
}

const HEADINGS = ['ID', 'TEAM', 'NAME', 'EARLIER', 'V1', 'STATUS', 'ENDS', 'TODAY']

function formatKeys(keys: readonly ListedKey[]): string[] {
  const rows = [HEADINGS, ...keys.map(toCells)]
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function toCells({
  id,
  account,
  name,
  earlierPlan,
  v1Plan,
  status,
  endsAt,
  requestsToday,
}: ListedKey): string[] {
  return [id, account, name, earlierPlan, v1Plan, status, endsAt ?? '-', String(requestsToday)]
}
