import * as z from 'zod/mini'
import {
  type Aspect,
  addEvent,
  addNotes,
  findShared,
  findSharedByJoin,
  findUndoable,
  markUndone,
  type Undoable,
  writeAspect,
} from '#bff/store/records/triage-queries.ts'
import type { TriageEventAction } from '#contract/bff/triage.ts'
import { ownerSchema, triageStateSchema } from '#contract/bff/triage-state.ts'
import type { Database } from '#database/database.ts'
import { shareState } from './share-state.ts'

/** The aspect that an action changes, and the actions that change it again. */
export const ASPECTS: Readonly<
  Partial<Record<TriageEventAction, { aspect: Aspect; rivals: readonly TriageEventAction[] }>>
> = {
  read: { aspect: 'read', rivals: ['read', 'unread'] },
  unread: { aspect: 'read', rivals: ['read', 'unread'] },
  star: { aspect: 'starred', rivals: ['star', 'unstar'] },
  unstar: { aspect: 'starred', rivals: ['star', 'unstar'] },
  close: { aspect: 'closed', rivals: ['close', 'reopen'] },
  reopen: { aspect: 'closed', rivals: ['close', 'reopen'] },
  assign: { aspect: 'owner', rivals: ['assign', 'release'] },
  release: { aspect: 'owner', rivals: ['assign', 'release'] },
}

/** An event keeps aspects as they were, without an owner's name, which is read from the account. */
export const BEFORE = {
  ...triageStateSchema.shape,
  owner: z.nullable(z.omit(ownerSchema, { name: true, isActive: true })),
}

export function findEvent(db: Database, id: string): Promise<Undoable | null> {
  return findUndoable(db, id, (action) => ASPECTS[action]?.rivals ?? [])
}

export async function restore(db: Database, { action, ids, before }: Undoable): Promise<void> {
  const aspect = ASPECTS[action]?.aspect
  if (!aspect) return addNotes(db, ids, -1)
  const schema = BEFORE[aspect]
  await writeAspect(db, aspect, new Map(ids.map((id) => [id, schema.parse(before[id] ?? null)])))
}

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
