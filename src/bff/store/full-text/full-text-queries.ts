import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { affectsRows, onlyColumn, readRow, readRows } from '#database/read-rows.ts'
import { normaliseText } from '#matcher/normalise-text.ts'

/** Characters of one normalised text: about 3,000 words. */
const TEXT_MAX_LENGTH = 20_000
/** Normalising shortens a text by less than this factor. */
const READ_MAX_LENGTH = 4 * TEXT_MAX_LENGTH
/** Characters of all texts: some 30 MB in the index. The texts that were read last stay. */
const ALL_TEXTS_MAX_LENGTH = 20_000_000

/** A full text that is kept already, or stands in the record, is none. */
const IS_NEW = `known.text is distinct from given.text
          and (known.id is not null or strpos(stored.searched_text, given.text) = 0)`

const textSchema = z.object({ id: z.string(), text: z.string() })
const sizeSchema = z.object({ characters: z.number() })
const storedSchema = z.extend(sizeSchema, { changed: z.array(z.string()) })

/** Reads full texts by the ids of their records: content that was read, and words that the vendor found. */
export async function readFullTexts(
  db: Database,
  ids: readonly string[] | 'all',
): Promise<ReadonlyMap<string, string>> {
  const isAll = ids === 'all'
  if (!isAll && ids.length === 0) return new Map()
  const rows = await readRows(db, textSchema, isAll ? [] : [ids])`
    select id, string_agg(text, '') as text
      from (select id, text from full_text union all select id, words from full_text_match) known
     ${isAll ? '' : 'where id = any($1)'}
     group by id`
  return new Map(rows.map(({ id, text }) => [id, text]))
}

/**
 * Keeps the full text that somebody has opened: what it says beyond what is searched already. Those that were opened longest
 * ago make room for it. Returns whether the index has to learn of it. Call it while the store is locked.
 */
export async function storeOpenedText(db: Database, id: string, content: string): Promise<boolean> {
  const { changed, characters } = await storeTexts(db, new Map([[id, content]]))
  if (changed.length === 0) return false
  const dropped = characters > ALL_TEXTS_MAX_LENGTH ? await dropOldTexts(db) : []
  await touchThreats(db, [...changed, ...dropped])
  return true
}

/** Returns true if a full text has words that are not searched already. */
export async function isNewText(db: Database, id: string, content: string): Promise<boolean> {
  const text = searchedContent(content)
  if (text === '') return false
  return affectsRows(db, [id, text])`
    select from (select $1::text as id, $2::text as text) given
      join window_threat stored on stored.id = given.id
      left join full_text known on known.id = given.id
     where ${IS_NEW}`
}

/** Keeps the full texts that a list gave, by the ids of their records, as long as there is room; otherwise as above. */
export async function storeListedTexts(
  db: Database,
  contents: ReadonlyMap<string, string>,
): Promise<boolean> {
  if (contents.size === 0 || !(await hasRoom(db))) return false
  const { changed } = await storeTexts(db, contents)
  if (changed.length > 0) await touchThreats(db, changed)
  return changed.length > 0
}

async function storeTexts(
  db: Database,
  contents: ReadonlyMap<string, string>,
): Promise<{ changed: string[]; characters: number }> {
  const texts = [...contents].flatMap(([id, content]) => {
    const text = searchedContent(content)
    return text === '' ? [] : [{ id, text }]
  })
  return readRow(db, storedSchema, [JSON.stringify(texts)])`
    with given as (
      select given.id, given.text, known.length as length_before
        from json_to_recordset($1) as given(id text, text text)
        join window_threat stored on stored.id = given.id
        left join full_text known on known.id = given.id
       where ${IS_NEW}
    ), written as (
      insert into full_text (id, text, length, read_at)
      select id, text, length(text), now() from given
      on conflict (id) do update set text = excluded.text, length = excluded.length, read_at = excluded.read_at
      returning id, length
    ), grown as (
      update full_text_size
         set characters = characters
           + (select coalesce(sum(length), 0) from written) - (select coalesce(sum(length_before), 0) from given)
      returning characters
    )
    select (select characters from grown) as characters, array(select id from written) as changed`
}

/** Returns true if another text fits. Otherwise some records may lack theirs. */
async function hasRoom(db: Database): Promise<boolean> {
  const row = await readRow(db, sizeSchema)`select characters from full_text_size`
  return row.characters < ALL_TEXTS_MAX_LENGTH
}

/** Returns true if the full texts of all stored threats are searched: the vendor's lists give them, and all fit. */
export async function hasAllTexts(
  db: Database,
  { listsContent }: { listsContent: boolean },
): Promise<boolean> {
  return listsContent && (await hasRoom(db))
}

/** Forgets all texts. */
export async function dropTexts(db: Database): Promise<void> {
  await db.query('delete from full_text')
  await db.query('update full_text_size set characters = 0')
}

/** The index reads these records again. */
export async function touchThreats(db: Database, ids: readonly string[]): Promise<void> {
  await db.query(`update window_threat set revision = nextval('window_revision') where id = any($1)`, [ids])
}

/** A tenth more than it must, so that it is seldom called. */
async function dropOldTexts(db: Database): Promise<string[]> {
  return readRows(db, onlyColumn(z.string()), [0.9 * ALL_TEXTS_MAX_LENGTH])`
    with dropped as (
      delete from full_text
       where id in (
         select id from (select id, sum(length) over (order by read_at desc, id) as total from full_text) summed
          where total > $1)
      returning id, length
    ), shrunk as (
      update full_text_size set characters = characters - (select coalesce(sum(length), 0) from dropped)
    )
    select id from dropped`
}

function searchedContent(content: string): string {
  return cutWords(normaliseText(content.slice(0, READ_MAX_LENGTH)))
}

/** Cuts a text before a word that does not fit. */
function cutWords(text: string): string {
  return text.length <= TEXT_MAX_LENGTH ? text : text.slice(0, text.lastIndexOf(' ', TEXT_MAX_LENGTH - 1) + 1)
}
