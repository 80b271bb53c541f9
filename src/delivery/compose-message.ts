import * as z from 'zod/mini'
import { SEVERITIES } from '#contract/severity.ts'
import type { Database } from '#database/database.ts'
import type { Message } from './message.ts'

const TOLD_MAX = 5

const causeSchema = z.object({ name: z.string() })
const threatSchema = z.object({
  id: z.string(),
  title: z.string(),
  severity: z.nullable(z.string()),
  category: z.nullable(z.string()),
  actor: z.nullable(z.string()),
  victim: z.nullable(z.string()),
  countries: z.array(z.string()),
  publishedAt: z.nullable(z.string()),
  matchedWords: z.array(z.string()),
  change: z._default(z.nullable(z.string()), null),
  link: z.string(),
})
const toldSchema = z.array(
  z.object({
    threat: threatSchema,
    words: z.array(z.array(z.string())),
    count: z.int(),
    criticalCount: z.int(),
  }),
)
const contentSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('digest'),
    causes: z.array(z.object({ id: z.string(), name: z.string(), isTeam: z.boolean() })),
    since: z.iso.datetime(),
    until: z.iso.datetime(),
    timeZone: z.string(),
    count: z.int(),
    previousCount: z.nullable(z.int()),
    severities: z.array(z.object({ severity: z.nullable(z.string()), count: z.int() })),
    threats: z.array(threatSchema),
    undelivered: z.array(
      z.object({ destination: z.string(), state: z.string(), count: z.int(), reason: z.string() }),
    ),
    pausedCount: z.int(),
    link: z.string(),
  }),
  z.object({
    kind: z.literal('test'),
    causes: z.array(causeSchema),
    requestedBy: z.string(),
    link: z.string(),
  }),
  z.object({ kind: z.literal('notice'), subject: z.string(), text: z.string(), link: z.string() }),
])

type Composed = {
  deliveryId: string
  /** Null of matches, which say it themselves. */
  content: unknown
  /** Absolute link to the threats of a delivery. */
  linkTo(deliveryId: string): string | Promise<string>
}

/** What a delivery tells now: a threat once, whoever matched it. */
export async function composeMessage(
  tx: Database,
  { deliveryId, content, linkTo }: Composed,
): Promise<Message> {
  if (content !== null) return contentSchema.parse(content)
  const { rows } = await tx.query(
    `with told as (
       select threat_id, (array_agg(threat order by id))[1] as threat,
              jsonb_agg(threat -> 'matchedWords' order by id) as words
         from delivery_match where delivery_id = $1 and left_out is null group by threat_id)
     select threat, words, count(*) over () as count,
            count(*) filter (where threat ->> 'severity' = 'critical') over () as "criticalCount"
       from told
      order by array_position($2::text[], threat ->> 'severity') nulls last,
               threat ->> 'publishedAt' desc nulls last, threat_id
      limit ${TOLD_MAX}`,
    [deliveryId, SEVERITIES],
  )
  const told = toldSchema.parse(rows)
  const link = await linkTo(deliveryId)
  const causes = await tx.query(
    `select distinct name
       from delivery_cause join delivery_match on cause_id = delivery_cause.id
      where delivery_id = $1 and left_out is null order by name`,
    [deliveryId],
  )
  return {
    kind: 'matches',
    causes: z.array(causeSchema).parse(causes.rows),
    threats: told.map(({ threat, words }) => ({
      ...threat,
      matchedWords: [...new Set(words.flat())],
      link: threat.link.startsWith('/') ? new URL(threat.link, link).href : threat.link,
    })),
    count: told[0]?.count ?? 0,
    criticalCount: told[0]?.criticalCount ?? 0,
    link,
  }
}
