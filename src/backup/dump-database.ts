import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { readApplied } from '#database/migrate.ts'
import { type DatabaseName, type Sequence, toLine } from './backup-parts.ts'
import { listSequences, listTables, quote, readRows, settleTexts } from './table-catalog.ts'
import { TableHasher } from './table-checksum.ts'

const positionSchema = z.object({ last: z.string(), isCalled: z.boolean() })

/** All that follows in the transaction sees the database as it is now. */
export async function takeSnapshot(tx: Database): Promise<void> {
  await tx.query('set transaction isolation level repeatable read, read only')
  await settleTexts(tx)
  await tx.query('select 1')
}

/** Yields the content of a database as lines of a backup; nothing if it has no schema yet. Runs within a snapshot. */
export async function* dumpDatabase(
  tx: Database,
  name: DatabaseName,
  isLeftOut: (table: string) => boolean,
): AsyncGenerator<string> {
  const migrations = [...(await readApplied(tx)).keys()].sort((a, b) => a - b)
  if (migrations.length === 0) return
  yield toLine({ part: 'database', name, migrations })
  for (const table of await listTables(tx)) {
    const columns = table.columns.map((column) => column.name)
    yield toLine({ part: 'table', name: table.name, columns })
    const hasher = new TableHasher()
    if (!isLeftOut(table.name)) {
      for await (const rows of readRows(tx, table.name, columns)) {
        for (const row of rows) hasher.add(row)
        yield `${rows.join('\n')}\n`
      }
    }
    yield toLine({ part: 'checksum', ...hasher.checksum })
  }
  // Sequences know no snapshot. Read last, each is past what the rows have of it.
  yield toLine({ part: 'sequences', sequences: await readSequences(tx) })
}

async function readSequences(tx: Database): Promise<Sequence[]> {
  const sequences = []
  for (const name of await listSequences(tx)) {
    const { rows } = await tx.query(
      `select last_value::text as last, is_called as "isCalled" from ${quote(name)}`,
    )
    sequences.push({ name, ...positionSchema.parse(rows[0]) })
  }
  return sequences
}
