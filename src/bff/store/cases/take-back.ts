import { notifyLive } from '#bff/http/live/live-channel.ts'
import { ASPECTS, findEvent, restore } from '#bff/store/records/triage-aspects.ts'
import {
  addEvent,
  findGiven,
  findShared,
  markUndone,
  readStates,
  takeFromEvent,
  type Undoable,
} from '#bff/store/records/triage-queries.ts'
import type { Database } from '#database/database.ts'
import { LANTERN, shareState } from './share-state.ts'

/**
 * After an action was undone by the event `by`: takes what Lantern gave to claims that came to its cases since, unless
 * somebody has changed it. Returns these claims. A case that was closed before stays closed with all its claims.
 */
export async function takeBackShared(
  tx: Database,
  undone: Undoable & { id: string },
  { claimIds, by }: { claimIds: readonly string[]; by: string },
): Promise<string[]> {
  const wasClosed = undone.action === 'close' && Object.values(undone.before).some((mark) => mark !== null)
  const taken = wasClosed ? [] : await takeBack(tx, await findShared(tx, undone.id, claimIds), by)
  if (taken.length > 0 || undone.action === 'note') await shareState(tx, undone.ids)
  return taken
}

/**
 * After cases were divided: takes what Lantern gave to claims that are apart from those that have it from a person. `parts`:
 * the claims of each case that are still together. Under the lock of cases.
 */
export async function takeBackFromParts(tx: Database, parts: readonly ReadonlySet<string>[]): Promise<void> {
  const claimIds = parts.flatMap((part) => [...part])
  const given = await findGiven(tx, claimIds)
  if (given.length === 0) return
  const states = await readStates(tx, claimIds)
  const taken = [...Map.groupBy(given, ({ action }) => action)].flatMap(([action, events]) => {
    const aspect = ASPECTS[action]?.aspect
    const givenIds = new Set(events.flatMap(({ ids }) => ids))
    const ofPeople = states.filter((state) => aspect && state[aspect] && !givenIds.has(state.id))
    return parts
      .filter((part) => !ofPeople.some(({ id }) => part.has(id)))
      .flatMap((part) => events.map((event) => ({ ...event, ids: event.ids.filter((id) => part.has(id)) })))
      .filter(({ ids }) => ids.length > 0)
  })
  if (taken.length === 0) return
  const ids = [...new Set(taken.flatMap((event) => event.ids))]
  const nothing = { reason: null, text: null, ownerId: null, before: {} }
  const by = await addEvent(tx, { ...LANTERN, ...nothing, action: 'undo', ids })
  for (const event of taken) {
    await restore(tx, event)
    await takeFromEvent(tx, event, by)
  }
  await notifyLive(tx, { kind: 'triage', ids })
  // Lantern may have given the same claims something before that.
  await takeBackFromParts(tx, parts)
}

async function takeBack(tx: Database, eventIds: readonly string[], by: string): Promise<string[]> {
  const taken: string[] = []
  for (const id of eventIds) {
    const event = await findEvent(tx, id)
    if (!event || event.isUndone || event.isOvertaken) continue
    await restore(tx, event)
    await markUndone(tx, id, by)
    taken.push(...event.ids)
  }
  return taken
}
