import * as z from 'zod/mini'
import { countryName } from '#contract/country.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { enqueueStored } from '#delivery/enqueue.ts'
import { readDatabaseTime } from '#delivery/ledger-access.ts'
import { UNDATED_AT } from '#service/threats/threat-record.ts'

const toldSchema = z.array(
  z.object({
    id: z.string(),
    title: z.string(),
    severity: z.string(),
    category: z.string(),
    actors: z.array(z.string()),
    victims: z.array(z.string()),
    countries: z.array(z.string()),
    publishedAt: z.nullable(z.string()),
  }),
)

export type Trigger = {
  profile: { id: string; name: string; destinationIds: readonly string[] }
  threatId: string
  /** Of the profile, that matched. */
  words: readonly string[]
}

/** Writes who is told of the records that came. Generated records alert nobody. */
export async function enqueueTriggers(tx: Database, triggers: readonly Trigger[]): Promise<void> {
  if (triggers.length === 0) return
  const { rows } = await tx.query(
    `select id, title, severity, category, threat_actors as actors, organizations as victims, countries,
            ${isoUtc('nullif(published_at, $2)')} as "publishedAt"
       from threat where id = any($1) and not is_demo`,
    [[...new Set(triggers.map(({ threatId }) => threatId))], UNDATED_AT],
  )
  const threats = new Map(toldSchema.parse(rows).map((threat) => [threat.id, threat]))
  const matches = triggers.flatMap(({ profile, threatId, words }) => {
    const threat = threats.get(threatId)
    if (!threat) return []
    const { actors, victims, countries, ...rest } = threat
    return [
      {
        event: `threat:${threatId}`,
        cause: { kind: 'profile', id: profile.id, name: profile.name } as const,
        destinationIds: profile.destinationIds,
        threat: {
          ...rest,
          actor: actors.join(', ') || null,
          victim: victims.join(', ') || null,
          countries: countries.map((country) => countryName(country) ?? country),
          matchedWords: words,
          // From the origin of whoever sends it, who knows where the dashboard is.
          link: `/threats/${encodeURIComponent(threatId)}`,
        },
      },
    ]
  })
  await enqueueStored(tx, matches, readDatabaseTime)
}
