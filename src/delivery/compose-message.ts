import * as z from 'zod/mini'
import { SEVERITIES } from '#contract/severity.ts'
import type { Database } from '#database/database.ts'
import { readRows } from '#database/read-rows.ts'
import {
  contentSchema,
  type Message,
  messageCauseSchema,
  type NotifiedThreat,
  notifiedThreatSchema,
} from './message.ts'
import { divideIntoPages } from './messages/write-webhook.ts'

const THREATS_MAX_COUNT = 5

const matchedSchema = z.object({
  threat: notifiedThreatSchema,
  words: z.array(z.array(z.string())),
  /** Keywords of excluded profiles are not among them. */
  shownWords: z.array(z.array(z.string())),
  isLeftOut: z.boolean(),
})
type Composed = {
  deliveryId: string
  /** Null for a delivery of matches, whose content is in the matches. */
  content: unknown
  /** Absolute link to the threats of a delivery. */
  linkTo(deliveryId: string): string | Promise<string>
  /** The channel sends all threats, in pages. */
  hasPages: boolean
}

/** Reads the threats of a delivery. Each threat appears once, even if several profiles match. */
export async function composeMessage(
  tx: Database,
  { deliveryId, content, linkTo, hasPages }: Composed,
): Promise<Message> {
  if (content !== null) return contentSchema.parse(content)
  const matched = await readRows(tx, matchedSchema, [deliveryId, SEVERITIES])`
    with matched as (
      select threat_id, (array_agg(threat order by id))[1] as threat,
             jsonb_agg(threat -> 'matchedWords' order by id) as words,
             coalesce(jsonb_agg(threat -> 'matchedWords' order by id) filter (where left_out is null), '[]') as "shownWords",
             bool_and(left_out is not null) as "isLeftOut"
        from delivery_match where delivery_id = $1 group by threat_id)
    select threat, words, "shownWords", "isLeftOut" from matched
     order by array_position($2::text[], threat ->> 'severity') nulls last,
              threat ->> 'publishedAt' desc nulls last, threat_id`
  const link = await linkTo(deliveryId)
  const causes = await readRows(tx, messageCauseSchema, [deliveryId])`
    select distinct delivery_cause.id, name, is_team as "isTeam"
      from delivery_cause join delivery_match on cause_id = delivery_cause.id
     where delivery_id = $1 and left_out is null order by name, delivery_cause.id`
  const write = ({ threat }: (typeof matched)[number], words: readonly string[][]): NotifiedThreat => ({
    ...threat,
    matchedWords: [...new Set(words.flat())],
    link: threat.link.startsWith('/') ? new URL(threat.link, link).href : threat.link,
  })
  const threatsById = new Map(
    matched.flatMap((row) => (row.isLeftOut ? [] : [[row.threat.id, write(row, row.shownWords)] as const])),
  )
  // Pages keep threats that were excluded later, so that a page that was sent does not change.
  const pages = hasPages && divideIntoPages(matched.map((row) => write(row, row.words)))
  const threats = [...threatsById.values()]
  return {
    kind: 'matches',
    causes,
    threats: threats.slice(0, THREATS_MAX_COUNT),
    ...(pages && { pages: pages.map((page) => page.flatMap(({ id }) => threatsById.get(id) ?? [])) }),
    count: threats.length,
    criticalCount: threats.filter(({ severity }) => severity === 'critical').length,
    link,
  }
}
