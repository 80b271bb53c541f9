import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { normaliseText } from '#matcher/normalise-text.ts'

/** Characters of one normalised text: about 3,000 words. */
const TEXT_MAX_LENGTH = 20_000
/** What normalising takes away, generously. */
const READ_MAX_LENGTH = 4 * TEXT_MAX_LENGTH
/** Characters of all texts: some 30 MB in the index. The texts that were read last stay. */
const ALL_TEXTS_MAX_LENGTH = 20_000_000

const textsSchema = z.array(z.object({ id: z.string(), text: z.string() }))
const idsSchema = z.array(z.object({ id: z.string() }))
const changedSchema = z.array(z.object({ isChanged: z.boolean() }))

/** What is known of full texts, by the ids of their records: content that was read, and words that the vendor found. */
export async function readFullTexts(
  db: Database,
  ids: readonly string[] | 'all',
): Promise<ReadonlyMap<string, string>> {
  const isAll = ids === 'all'
  if (!isAll && ids.length === 0) return new Map()
  const { rows } = await db.query(
    `select id, string_agg(text, '') as text
       from (select id, text from full_text union all select id, words from full_text_match) known
      ${isAll ? '' : 'where id = any($1)'}
      group by id`,
    isAll ? [] : [ids],
  )
  return new Map(textsSchema.parse(rows).map(({ id, text }) => [id, text]))
}

/** Keeps the content of a stored record. Returns whether the index has to learn of it. Call it while the store is locked. */
export async function storeFullText(
  db: Database,
  { id, content }: { id: string; content: string | null },
): Promise<boolean> {
  const text = cutWords(normaliseText((content ?? '').slice(0, READ_MAX_LENGTH)))
  if (text === '') return false
  const { rows } = await db.query(
    `with before as (select text from full_text where id = $1)
     insert into full_text (id, text, length, read_at)
     select $1, $2, $3, now() where exists (select from window_threat where id = $1)
     on conflict (id) do update
       set text = excluded.text, length = excluded.length, read_at = excluded.read_at
     returning text is distinct from (select text from before) as "isChanged"`,
    [id, text, text.length],
  )
  if (!changedSchema.parse(rows).at(0)?.isChanged) return false
  await touchThreats(db, [id, ...(await dropOldTexts(db))])
  return true
}

/** The index reads these records again. */
export async function touchThreats(db: Database, ids: readonly string[]): Promise<void> {
  await db.query(`update window_threat set revision = nextval('window_revision') where id = any($1)`, [ids])
}

async function dropOldTexts(db: Database): Promise<string[]> {
  const { rows } = await db.query(
    `delete from full_text
      where id in (
        select id from (select id, sum(length) over (order by read_at desc, id) as total from full_text) summed
         where total > $1)
      returning id`,
    [ALL_TEXTS_MAX_LENGTH],
  )
  return idsSchema.parse(rows).map(({ id }) => id)
}

/** Without a word that is cut in two. */
function cutWords(text: string): string {
  return text.length <= TEXT_MAX_LENGTH ? text : text.slice(0, text.lastIndexOf(' ', TEXT_MAX_LENGTH - 1) + 1)
}
