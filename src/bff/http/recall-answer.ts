import * as z from 'zod/mini'
import { freshnessSchema } from '#contract/bff/freshness.ts'
import { isDatabaseAway } from '#database/is-database-away.ts'
import type { Representation } from './representation.ts'
import type { Answer } from './route.ts'

/** For readers of an answer that is still in memory. */
export const DATABASE_AWAY = "Lantern's own database is away, so nothing newer is read."

const labelledSchema = z.looseObject({ freshness: freshnessSchema })

/** What was answered last, labelled as old, while the database that a new answer needs is away. */
export function recallAnswer(error: unknown, last: Representation | undefined): Answer {
  const known = last && isDatabaseAway(error) ? labelledSchema.safeParse(JSON.parse(last.text)) : null
  if (!known?.success) throw error
  const freshness = { ...known.data.freshness, isStale: true, staleReason: DATABASE_AWAY }
  return { json: { ...known.data, freshness } }
}
