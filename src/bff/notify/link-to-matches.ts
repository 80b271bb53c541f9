import * as z from 'zod/mini'
import { threatFilterSchema } from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'
import { readRows } from '#database/read-rows.ts'
import { describeKeyword, parseKeyword } from '#matcher/keyword.ts'

const filterSchema = z.pipe(
  z.string(),
  z.transform((text) => threatFilterSchema.parse(JSON.parse(text))),
)
const profileSchema = z.object({ keywords: z.array(z.string()), categories: z.array(z.string()) })
const matchSchema = z.object({
  filter: z.nullable(filterSchema),
  profile: z.nullable(profileSchema),
  since: z.nullable(z.iso.datetime()),
})

/**
 * Returns the link of a message. It opens the feed with the search of the profile, which any user may open, even
 * without access to the profile. A message of several profiles links to all threats since its oldest match.
 */
export async function linkToMatches(db: Database, origin: string, deliveryId: string): Promise<string> {
  const [matches, ...others] = await readRows(db, matchSchema, [deliveryId])`
    select filter, case when profile.id is not null
             then json_build_object('keywords', keywords, 'categories', categories) end as profile,
           min(min(threat ->> 'publishedAt')) over () as since
      from delivery_match
      left join alert_profile own on own.id::text = cause_id
      left join source_profile profile on profile.id = cause_id
     where delivery_id = $1 and left_out is null
     group by own.id, profile.id`
  if (!matches) return `${origin}/threats`
  const { filter, profile } = matches
  const own = filter ?? (profile && { ...toFilter(profile), since: matches.since ?? undefined })
  return origin + pathToFeed(others.length === 0 && own ? own : { since: matches.since ?? undefined })
}

/** Returns the filter that finds the matches of a profile. */
function toFilter({ keywords, categories }: z.infer<typeof profileSchema>) {
  const words = keywords.flatMap((text) => {
    const keyword = parseKeyword(text)
    return keyword ? describeKeyword(keyword) : []
  })
  return { q: words.join(' OR '), category: categories }
}

/** Returns the path of the feed with a filter. Each value is a parameter of its own. */
export function pathToFeed(filter: Readonly<Record<string, string | readonly string[] | undefined>>): string {
  const pairs = Object.entries(filter).flatMap(([name, values = []]) =>
    [values].flat().map((value) => [name, value]),
  )
  const search = new URLSearchParams(pairs).toString()
  return `/threats${search && `?${search}`}`
}
