import * as z from 'zod/mini'
import { viewSchema } from '#contract/bff/view.ts'
import type { Database } from '#database/database.ts'

const feedViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  filter: z.pipe(
    z.string(),
    z.transform((text) => viewSchema.shape.filter.parse(JSON.parse(text))),
  ),
  timeZone: z.string(),
  accountId: z.string(),
})
export type FeedView = z.infer<typeof feedViewSchema>

/** The view behind a feed's address, while its owner may make one. */
export async function findFeedView(db: Database, hash: Buffer): Promise<FeedView | null> {
  const { rows } = await db.query(
    `select saved_view.id, saved_view.name, filter, time_zone as "timeZone", account_id as "accountId"
       from saved_view join account on account.id = saved_view.account_id
      where feed_token_hash = $1 and account.disabled_at is null and account.role <> 'viewer'`,
    [hash],
  )
  return z.array(feedViewSchema).parse(rows).at(0) ?? null
}
