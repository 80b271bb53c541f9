import * as z from 'zod/mini'
import {
  type AlertPreview,
  PREVIEW_MATCHES_MAX_COUNT,
  type PreviewAlert,
} from '#contract/upstream/earlier/preview-alert.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { holdsKeyword, parseKeyword } from '#matcher/keyword.ts'
import { foldCategory } from '#matcher/match-profiles.ts'
import type { Visibility } from '#service/threats/threat-scope.ts'

const candidatesSchema = z.array(
  z.object({ id: z.string(), postedAt: z.string(), category: z.string(), searchText: z.string() }),
)
const comparedSchema = z.tuple([z.object({ compared: z.int() })])

const BATCH_COUNT = 1_000

// A sieve for the matcher, which decides: tokens hold nothing that LIKE would take for a wildcard.
const CANDIDATES = `
  select t.id, ${isoUtc('t.published_at')} as "postedAt", t.category, t.search_text as "searchText"
    from visible_threat($1, $2) t
   where t.published_at >= $3
     and t.search_text like any($4::text[])
     and ($5::timestamptz is null or (t.published_at, t.id) < ($5, $6::text))
   order by t.published_at desc, t.id desc
   limit ${BATCH_COUNT}`

/** Which records of a time the keywords match, in full, as if a profile had been there when they came. */
export async function previewAlert(
  db: Database,
  { since, isRedacted }: Visibility,
  { keywords, categories, since: from }: PreviewAlert,
): Promise<AlertPreview> {
  const wanted = keywords.flatMap((text, at) => {
    const keyword = parseKeyword(text)
    return keyword ? [{ keyword, at }] : []
  })
  const patterns = wanted.map(({ keyword }) => `%${keyword.normalised}%`)
  const folded = new Set(categories.map(foldCategory))
  const { rows } = await db.query(
    'select count(*)::integer as compared from visible_threat($1, $2) t where t.published_at >= $3',
    [since, isRedacted, from],
  )
  const [{ compared }] = comparedSchema.parse(rows)

  const matches: AlertPreview['matches'] = []
  let last: { id: string; postedAt: string } | undefined
  do {
    const answer = await db.query(CANDIDATES, [since, isRedacted, from, patterns, last?.postedAt, last?.id])
    const candidates = candidatesSchema.parse(answer.rows)
    for (const { id, postedAt, category, searchText } of candidates) {
      if (folded.size > 0 && !folded.has(foldCategory(category))) continue
      const found = wanted.filter(({ keyword }) => holdsKeyword(searchText, keyword))
      if (found.length > 0) matches.push({ id, posted_at: postedAt, keywords: found.map(({ at }) => at) })
    }
    last = candidates.length === BATCH_COUNT ? candidates.at(-1) : undefined
  } while (last && matches.length <= PREVIEW_MATCHES_MAX_COUNT)

  const is_cut = matches.length > PREVIEW_MATCHES_MAX_COUNT
  return { compared, matches: matches.slice(0, PREVIEW_MATCHES_MAX_COUNT), is_cut }
}
