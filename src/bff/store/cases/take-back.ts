import { findEvent, restore } from '#bff/store/records/triage-aspects.ts'
import {
  addEvent,
  findShared,
  findSharedByJoin,
  markUndone,
  type Undoable,
} from '#bff/store/records/triage-queries.ts'
import type { Database } from '#database/database.ts'
import { shareState } from './share-state.ts'

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

/** After a join was undone: takes the owner and the star that it gave to claims, unless somebody has changed them. */
export async function takeBackJoin(
  tx: Database,
  person: { accountId: string; who: string },
  { caseEventId, claimIds }: { caseEventId: string; claimIds: readonly string[] },
): Promise<void> {
  const eventIds = await findSharedByJoin(tx, caseEventId, claimIds)
  if (eventIds.length === 0) return
  const nothing = { reason: null, text: null, ownerId: null, before: {} }
  const by = await addEvent(tx, { ...person, ...nothing, action: 'undo', ids: claimIds })
  await shareState(tx, await takeBack(tx, eventIds, by))
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
