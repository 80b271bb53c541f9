import type { Database } from '#database/database.ts'
import { erasePerson } from './erase-person.ts'
import { pruneAudit, readFirstDay } from './prune-audit.ts'
import { type AuditCommand, AuditUsageError } from './read-audit-command.ts'
import { verifyAudit } from './verify-audit.ts'

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
    if (before === null) throw new AuditUsageError('Give --before DAY, or set AUDIT_RETENTION_DAYS')
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
