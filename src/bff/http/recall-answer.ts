import * as z from 'zod/mini'
import { freshnessSchema } from '#contract/bff/freshness.ts'
import { isDatabaseAway } from '#database/is-database-away.ts'
import type { Answer } from './route.ts'

/** Readers of an answer in memory see this. */
export const DATABASE_AWAY =
  "Lantern's own database does not answer or takes no writes, so nothing newer is read."

/** People who write see this, and everybody on pages. */
export const DATABASE_UNWRITABLE =
  'Nothing new is kept, and changes are refused: the disk of Lantern’s own database is full, or it is read-only. An admin has to make room on it, or to end that. What is stored can be read.'

const labelledSchema = z.looseObject({ freshness: freshnessSchema })

/** Returns the last answer, labelled as old, while the database that a new one needs is away. */
export function recallAnswer(error: unknown, last: { text: string } | undefined): Answer {
  const known = last && isDatabaseAway(error) ? labelledSchema.safeParse(JSON.parse(last.text)) : null
  if (!known?.success) throw error
  const freshness = { ...known.data.freshness, isStale: true, staleReason: DATABASE_AWAY }
  return { json: { ...known.data, freshness } }
}
