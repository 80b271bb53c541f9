import * as z from 'zod/mini'
import { countMuted, readHeldMutes } from '#bff/notify/mute-queries.ts'
import { readThreats } from '#bff/store/records/threat-queries.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { Database } from '#database/database.ts'
import { execute, readRows } from '#database/read-rows.ts'
import { foldValue } from '#matcher/normalise-text.ts'

/** Returns the ids of the mutes that keep a match from being sent. */
type MutesOf = (threat: Threat) => string[]

/**
 * Reads the active mutes of a profile. A match is muted only if every victim, or every actor, of its record is muted.
 */
export async function readMutes(tx: Database, profileId: string, now: Date): Promise<MutesOf> {
  const held = (await readHeldMutes(tx, profileId, now)).map((mute) => ({
    ...mute,
    key: foldValue(mute.name),
  }))
  const mutesFor = (kind: 'victim' | 'actor', names: readonly string[]) => {
    const keys = new Set(names.map(foldValue))
    const muted = held.filter((mute) => mute.kind === kind && keys.has(mute.key))
    return muted.length > 0 && muted.length === keys.size ? muted.map(({ id }) => id) : []
  }
  return ({ organizations, actors }) => [...mutesFor('victim', organizations), ...mutesFor('actor', actors)]
}

const waitingSchema = z.object({ id: z.string() })

/** Marks waiting matches as not sent if they are muted by now. */
export async function muteWaiting(tx: Database, profileId: string, now: Date): Promise<void> {
  const mutesOf = await readMutes(tx, profileId, now)
  const rows = await readRows(tx, waitingSchema, [profileId])`
    select threat_id as id from alert_match where profile_id = $1 and state = 'waiting'`
  const threats = await readThreats(
    tx,
    rows.map(({ id }) => id),
  )
  const muted = threats.filter((threat) => mutesOf(threat).length > 0)
  if (muted.length === 0) return
  await execute(tx, [profileId, muted.map(({ id }) => id)])`
    update alert_match set state = 'muted', threat = null where profile_id = $1 and threat_id = any($2)`
  await countMuted(tx, muted.flatMap(mutesOf))
}
