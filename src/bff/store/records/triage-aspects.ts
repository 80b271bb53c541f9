import * as z from 'zod/mini'
import type { TriageEventAction } from '#contract/bff/triage.ts'
import { ownerSchema, triageStateSchema } from '#contract/bff/triage-state.ts'
import type { Database } from '#database/database.ts'
import { type Aspect, addNotes, findUndoable, type Undoable, writeAspect } from './triage-queries.ts'

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

/** Finds an event that may be undone, and whether a later action has changed the same aspect of one of its threats. */
export function findEvent(db: Database, id: string): Promise<Undoable | null> {
  return findUndoable(db, id, (action) => ASPECTS[action]?.rivals ?? [])
}

/** Gives the threats of an event the aspect that they had before it; for a comment, one comment less. */
export async function restore(db: Database, { action, ids, before }: Undoable): Promise<void> {
  const aspect = ASPECTS[action]?.aspect
  if (!aspect) return addNotes(db, ids, -1)
  const schema = BEFORE[aspect]
  await writeAspect(db, aspect, new Map(ids.map((id) => [id, schema.parse(before[id] ?? null)])))
}
