import * as z from 'zod/mini'
import { viewSchema } from '#contract/bff/view.ts'
import type { Database } from '#database/database.ts'

const toldSchema = z.array(
  z.object({
    filter: z.pipe(
      z.string(),
      z.transform((text) => viewSchema.shape.filter.parse(JSON.parse(text))),
    ),
    since: z.nullable(z.iso.datetime()),
  }),
)

/**
 * Where a message of watches leads: to the feed with what its view looks for, which any user may open, also one who may
 * not see the view. Of several watches, to all that came since the oldest that it tells.
 */
export function createLinkToMatches(
  database: Database,
  origin: string,
): (deliveryId: string) => Promise<string> {
  return async (deliveryId) => {
    const { rows } = await database.query(
      `select filter, min(min(threat ->> 'publishedAt')) over () as since
         from delivery_match
         join watch on cause_kind = 'watch' and watch.id::text = cause_id
         join saved_view on saved_view.id = view_id
        where delivery_id = $1 and left_out is null
        group by saved_view.id`,
      [deliveryId],
    )
    const [told, ...others] = toldSchema.parse(rows)
    if (!told) return `${origin}/threats`
    const search = writeSearch(others.length === 0 ? told.filter : { since: told.since ?? undefined })
    return `${origin}/threats${search && `?${search}`}`
  }
}

/** As the feed's address has it: a name for each value. */
function writeSearch(filter: Readonly<Record<string, string | readonly string[] | undefined>>): string {
  const pairs = Object.entries(filter).flatMap(([name, values = []]) =>
    [values].flat().map((value) => [name, value]),
  )
  return new URLSearchParams(pairs).toString()
}
