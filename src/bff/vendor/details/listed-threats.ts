import * as z from 'zod/mini'
import type { Log } from '#bff/http/log.ts'
import type { Clock } from '#bff/time/clock.ts'
import { type Threat, threatSchema } from '#contract/bff/threat.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'

const KEPT_MS = 61 * DAY_MS

/** `isGone` where a whole reading of the list no longer brought it. */
export type ListedThreat = { threat: Threat; listedAt: string; isGone: boolean }

export type ListedThreats = {
  /** Stores those of a list's records that the window does not hold, so that they are known to exist. */
  remember(threats: readonly Threat[]): Promise<void>
  find(id: string): Promise<ListedThreat | null>
}

type ListedThreatsOptions = {
  database: Database
  clock: Pick<Clock, 'nowMs'>
  /** A name for the vendor's address and its keys, as they are now. */
  source: () => string
  log: Log
}

const rowSchema = z.object({ threat: z.string(), listed_at: z.iso.datetime(), is_gone: z.boolean() })

/** What lists have named beyond the window, for any process. */
export function createListedThreats({ database, clock, source, log }: ListedThreatsOptions): ListedThreats {
  async function write(threats: readonly Threat[]): Promise<void> {
    const nowMs = clock.nowMs()
    await database.query('delete from listed_threat where listed_at < $1', [new Date(nowMs - KEPT_MS)])
    await database.query(
      `insert into listed_threat (source, id, threat, listed_at)
       select $1, id, threat, $4 from unnest($2::text[], $3::text[]) as named(id, threat)
        where not exists (select from window_threat where window_threat.id = named.id)
       on conflict (id, source) do update set threat = excluded.threat, listed_at = excluded.listed_at, gone_at = null`,
      [
        source(),
        threats.map(({ id }) => id),
        threats.map((threat) => JSON.stringify(threat)),
        new Date(nowMs),
      ],
    )
  }

  return {
    async remember(threats) {
      const named = new Map(threats.map((threat) => [threat.id, threat]))
      // The list itself is worth showing without them.
      if (named.size > 0)
        await write([...named.values()]).catch((error: unknown) =>
          log.error('listed-threats-not-kept', error),
        )
    },
    async find(id) {
      const { rows } = await database.query(
        `select threat, ${isoUtc('listed_at')} as listed_at, gone_at is not null as is_gone
           from listed_threat where id = $1 and source = $2`,
        [id, source()],
      )
      const row = rows.map((found) => rowSchema.parse(found)).at(0)
      if (!row) return null
      const threat = threatSchema.parse(JSON.parse(row.threat))
      return { threat, listedAt: row.listed_at, isGone: row.is_gone }
    },
  }
}
