import type { Database } from '#database/database.ts'
import { isHelpWanted, parseCommandLine, UsageError } from '#server/command-line.ts'
import { erasePerson } from './erase-person.ts'
import { pruneAudit, readFirstDay } from './prune-audit.ts'
import { verifyAudit } from './verify-audit.ts'

export const AUDIT_USAGE = `COMMAND

  verify   Checks that no record was altered, removed, reordered or put in. Exit code 0: all is as it was written;
           1: it is not.
  erase ACCOUNT_ID
           Erases a disabled account and what tells of its person: in the audit record, triage, views, sessions. Says
           what it has erased, and what stays and why.
  prune [--before YYYY-MM-DD]
           Removes records of before that day (UTC), and leaves a checkpoint to verify from. Without a day: those that
           are older than AUDIT_RETENTION_DAYS.`

export type AuditCommand =
  | { name: 'verify' }
  | { name: 'erase'; accountId: string }
  | { name: 'prune'; before: string | null }
  | { name: 'help' }

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const DAY = /^[12]\d{3}-\d\d-\d\d$/

export function readAuditCommand(args: readonly string[]): AuditCommand {
  if (isHelpWanted(args)) return { name: 'help' }
  const { values, positionals } = parseCommandLine(args, { before: { type: 'string' } })
  const [name, accountId, ...rest] = positionals
  if (name === undefined) throw new UsageError('Give a command')
  if (rest.length > 0 || (accountId !== undefined && name !== 'erase'))
    throw new UsageError(`What is "${rest[0] ?? accountId}"?`)
  if (name === 'verify') return { name }
  if (name === 'erase') {
    if (!accountId || !UUID.test(accountId))
      throw new UsageError('Give the id of an account, as records have it')
    return { name, accountId }
  }
  if (name === 'prune') {
    const before = values.before ?? null
    if (before !== null && (!DAY.test(before) || Number.isNaN(Date.parse(before))))
      throw new UsageError('--before: must be a day such as 2026-01-31')
    return { name, before }
  }
  throw new UsageError(`There is no command "${name}"`)
}

type Context = {
  print(line: string): void
  /** AUDIT_RETENTION_DAYS. */
  keptDays?: number | undefined
  /** The dashboard's, and the one before while it is replaced: they open addresses that are to be erased. */
  secrets?: readonly string[]
}

const PRINTED_MAX_COUNT = 50

/** Answers whether all is well. */
export async function runAuditCommand(
  database: Database,
  command: Exclude<AuditCommand, { name: 'help' }>,
  { print, keptDays, secrets = [] }: Context,
): Promise<boolean> {
  if (command.name === 'erase') {
    const { isErased, lines } = await erasePerson(database, command.accountId, secrets)
    for (const line of lines) print(line)
    return isErased
  }
  if (command.name === 'prune') {
    const before = command.before ?? (keptDays === undefined ? null : await readFirstDay(database, keptDays))
    if (before === null) throw new UsageError('Give --before DAY, or set AUDIT_RETENTION_DAYS')
    const records = await pruneAudit(database, { before, route: 'npm run audit' })
    print(`Removed ${records} records of before ${before}`)
    return true
  }
  const { records, faults } = await verifyAudit(database)
  for (const fault of faults.slice(0, PRINTED_MAX_COUNT)) print(fault)
  if (faults.length > PRINTED_MAX_COUNT) print(`… and ${faults.length - PRINTED_MAX_COUNT} more`)
  print(`${records} records, ${faults.length === 0 ? 'as they were written' : `${faults.length} faults`}`)
  return faults.length === 0
}
