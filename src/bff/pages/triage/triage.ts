import { notifyLive } from '#bff/http/live/live-channel.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import {
  type Aspect,
  addEvent,
  addNotes,
  findUndoable,
  lockStates,
  markUndone,
  readStates,
  type Undoable,
  writeAspect,
} from '#bff/store/records/triage-queries.ts'
import type { TriageAction, TriageChange, TriageEventAction } from '#contract/bff/triage.ts'
import { type TriageState, triageStateSchema } from '#contract/bff/triage-state.ts'
import type { Database } from '#database/database.ts'

/** The acting account, and its e-mail for those who read the record later. */
export type Triager = { accountId: string; who: string }

const ASPECTS: Readonly<
  Partial<Record<TriageEventAction, { aspect: Aspect; rivals: readonly TriageEventAction[] }>>
> = {
  read: { aspect: 'read', rivals: ['read', 'unread'] },
  unread: { aspect: 'read', rivals: ['read', 'unread'] },
  star: { aspect: 'starred', rivals: ['star', 'unstar'] },
  unstar: { aspect: 'starred', rivals: ['star', 'unstar'] },
  close: { aspect: 'closed', rivals: ['close', 'reopen'] },
  reopen: { aspect: 'closed', rivals: ['close', 'reopen'] },
}

/** Does something with threats, for the whole team; what has changed can be undone. Within a transaction. */
export async function actOn(db: Database, action: TriageAction, triager: Triager): Promise<TriageChange> {
  const states = await lockStates(db, action.ids)
  const changed = action.action === 'note' ? states : states.filter((state) => isChange(action, state))
  if (changed.length === 0) return { states: [], undoId: null }

  const ids = changed.map(({ id }) => id)
  const aspect = ASPECTS[action.action]?.aspect
  const at = new Date().toISOString()
  if (aspect) await writeAspect(db, aspect, new Map(ids.map((id) => [id, markOf(action, at, triager.who)])))
  else await addNotes(db, ids, 1)
  await notifyLive(db, { kind: 'triage', ids })
  const after = await readStates(db, ids)
  // Last: from here on, everybody else's actions wait for this one to be done.
  const undoId = await addEvent(db, {
    ...triager,
    action: action.action,
    ids,
    reason: 'reason' in action ? action.reason : null,
    text: 'text' in action ? action.text : null,
    before: aspect ? Object.fromEntries(changed.map((state) => [state.id, state[aspect]])) : {},
  })
  return { states: after, undoId }
}

/** An action that was undone, and what that has changed. */
export type Undone = { action: TriageEventAction; change: TriageChange }

/** Restores what one event has changed, unless somebody has changed it again since. Within a transaction. */
export async function undo(db: Database, undoId: string, triager: Triager): Promise<Undone> {
  const event = await findUndoable(db, undoId, (action) => ASPECTS[action]?.rivals ?? [])
  if (!event || event.action === 'undo') {
    throw new ProblemError({ code: 'not_found', detail: 'There is nothing of that kind to undo.' })
  }
  if (event.isUndone) throw new ProblemError({ code: 'conflict', detail: 'This was undone already.' })
  if (event.isOvertaken) {
    throw new ProblemError({
      code: 'conflict',
      detail: 'Somebody has changed one of these threats since. Look at them before you change them back.',
    })
  }
  await restore(db, event)
  const by = await addEvent(db, {
    ...triager,
    action: 'undo',
    ids: event.ids,
    reason: null,
    text: null,
    before: {},
  })
  await markUndone(db, undoId, by)
  await notifyLive(db, { kind: 'triage', ids: event.ids })
  return { action: event.action, change: { states: await readStates(db, event.ids), undoId: null } }
}

async function restore(db: Database, { action, ids, before }: Undoable): Promise<void> {
  const aspect = ASPECTS[action]?.aspect
  if (!aspect) return addNotes(db, ids, -1)
  const schema = triageStateSchema.shape[aspect]
  await writeAspect(db, aspect, new Map(ids.map((id) => [id, schema.parse(before[id] ?? null)])))
}

/** The first person who read or starred stays named; another reason to close replaces the one before. */
function isChange(action: TriageAction, { read, starred, closed }: TriageState): boolean {
  switch (action.action) {
    case 'read':
      return read === null
    case 'unread':
      return read !== null
    case 'star':
      return starred === null
    case 'unstar':
      return starred !== null
    case 'close':
      return closed?.reason !== action.reason || closed.text !== action.text
    case 'reopen':
      return closed !== null
    case 'note':
      return true
  }
}

function markOf(action: TriageAction, at: string, who: string): TriageState[Aspect] {
  if (action.action === 'close') return { at, who, reason: action.reason, text: action.text }
  return action.action === 'read' || action.action === 'star' ? { at, who } : null
}
