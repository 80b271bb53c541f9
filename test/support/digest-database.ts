import * as z from 'zod/mini'
import { openDatabase } from '#database/open-database.ts'

const relationsSchema = z.array(z.object({ name: z.string(), isTable: z.boolean(), question: z.string() }))
const digestSchema = z.array(z.object({ digest: z.string() }))

/**
 * What a restore adds: its own record in the chain. What it empties: whatever may have ended since the backup. And what a
 * backup adds once its file is whole.
 */
const ADDED = `select id from audit_record where action = 'backup-restored'`
const COMPARED = new Map([
  ['audit_record', `where id not in (${ADDED})`],
  ['audit_personal', `where record_id not in (${ADDED})`],
  ['audit_link', `where record_id not in (${ADDED})`],
  ['audit_head', 'where false'],
  ['session', 'where false'],
  ['sign_in_step', 'where false'],
  ['password_link', 'where false'],
  ['sign_in_link', 'where false'],
  ['last_backup', 'where false'],
])

/** Each table's rows and each sequence's place, by PostgreSQL's own means: equal where the data is, restored or not. */
export async function digestDatabase(url: string): Promise<Record<string, string>> {
  const database = await openDatabase({ url, max: 1, statementTimeoutMs: 0 })
  try {
    const { rows } = await database.query(`
      select relname as name, relkind = 'r' as "isTable",
             case relkind
               when 'S' then format('select last_value || '' '' || is_called as digest from %s', oid::regclass)
               else format('select count(*) || '' rows '' || coalesce(md5(string_agg(hash, '''' order by hash)), '''') as digest
                              from (select md5(t::text) as hash from %s t', oid::regclass)
             end as question
        from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'S')
         and oid is distinct from pg_get_serial_sequence(to_regclass('audit_record')::text, 'id')::regclass
       order by name`)
    const digests: Record<string, string> = {}
    for (const { name, isTable, question } of relationsSchema.parse(rows)) {
      const rest = isTable ? ` ${COMPARED.get(name) ?? ''}) hashes` : ''
      digests[name] = digestSchema.parse((await database.query(question + rest)).rows)[0]?.digest ?? ''
    }
    return digests
  } finally {
    await database.close()
  }
}

/** All that a schema consists of, in no order. */
export async function readSchema(url: string): Promise<unknown[]> {
  const database = await openDatabase({ url, max: 1 })
  const { rows } = await database.query(`
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as part
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select pg_get_indexdef(indexrelid)
      from pg_index join pg_class on pg_class.oid = indexrelid where relnamespace = 'public'::regnamespace
    union all select pg_get_triggerdef(pg_trigger.oid) || tgenabled::text
      from pg_trigger join pg_class on pg_class.oid = tgrelid where relnamespace = 'public'::regnamespace and not tgisinternal
    union all select oid::regprocedure || ' ' || md5(prosrc) from pg_proc where pronamespace = 'public'::regnamespace
    order by part`)
  await database.close()
  return rows
}
