import * as z from 'zod/mini'
import { defineChange, makeChange } from '#bff/accounts/make-change.ts'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import { badRequest, conflict, notFound } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute, type ReaderSession } from '#bff/http/route.ts'
import { writeOnce } from '#bff/http/write-once.ts'
import { addInboxItems, withdrawMentions } from '#bff/notify/inbox-queries.ts'
import { pathToFeed } from '#bff/notify/link-to-matches.ts'
import { readCaseStates } from '#bff/store/cases/case-states.ts'
import { holdCases } from '#bff/store/cases/place-claims.ts'
import { takeBackShared } from '#bff/store/cases/take-back.ts'
import type { ReadThreat } from '#bff/store/details/read-threats.ts'
import { readThreats } from '#bff/store/records/threat-queries.ts'
import { ASPECTS, BEFORE, findEvent, restore } from '#bff/store/records/triage-aspects.ts'
import {
  type Aspect,
  addEvent,
  addNotes,
  canOwn,
  listOwners,
  listUnknown,
  lockStates,
  markUndone,
  readCasesOf,
  readHistory,
  readPersonName,
  writeAspect,
} from '#bff/store/records/triage-queries.ts'
import { type ReadRequest, toReadRequest } from '#bff/upstream/cache/read-request.ts'
import { toProblem } from '#bff/upstream/client/to-problem.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import { SEARCH_MAX_LENGTH, threatParamsSchema } from '#contract/bff/threat-list.ts'
import {
  type Mention,
  TRIAGE_BODY_MAX_BYTES,
  type TriageAction,
  type TriageChange,
  type TriageEventAction,
  triageActionSchema,
  triageChangeSchema,
  triageLookupSchema,
  triageUndoSchema,
} from '#contract/bff/triage.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'
import { visibleLine } from '#contract/visible-text.ts'
import type { Database } from '#database/database.ts'
import { readRows } from '#database/read-rows.ts'
import { writeValue } from '#matcher/query/print-query.ts'

/** Only a threat's history names who has read or starred it: the audit record would hold little else. */
const LEFT_TO_HISTORY: ReadonlySet<TriageEventAction> = new Set(['read', 'unread', 'star', 'unstar'])

/** Ids of unknown threats that one answer names. */
const NAMED_COUNT = 5
const ID_SHOWN_LENGTH = 60

/** Everybody sees the team's triage; analysts change it. */
export function triageRoutes(dependencies: TriageDependencies): BffRoute[] {
  const { database } = dependencies
  return [
    defineRoute('POST /bff/triage/states', {
      access: 'viewer',
      effect: 'none',
      body: triageLookupSchema,
      bodyMaxBytes: TRIAGE_BODY_MAX_BYTES,
      answer: async ({ body, session }) => ({
        json: { states: await readCaseStates(database, body.ids, session.user.id) },
      }),
    }),
    defineRoute('GET /bff/triage/:id/history', {
      access: 'viewer',
      params: threatParamsSchema,
      answer: async ({ params }) => ({ json: await readHistory(database, params.id) }),
    }),
    defineRoute('GET /bff/triage/owners', {
      access: 'analyst',
      answer: async () => ({ json: { owners: await listOwners(database) } }),
    }),
    defineRoute('POST /bff/triage', {
      access: 'analyst',
      body: triageActionSchema,
      bodyMaxBytes: TRIAGE_BODY_MAX_BYTES,
      async answer({ body, ...context }) {
        await requireThreats(dependencies, body.ids, toReadRequest(context.request, context.session))
        return makeChange(database, context, 'analyst', async (tx, record) => {
          const act = async () => {
            const change = await actOn(tx, body, triagerOf(context.session))
            if (isForRecord(body.action, change)) {
              await record({
                action: 'triage-changed',
                object: idOfOne(change) ?? change.undoId,
                after: {
                  action: body.action,
                  reason: 'reason' in body ? body.reason : undefined,
                  threats: change.states.length,
                },
              })
            }
            return change
          }
          // All else is as it was when it is done a second time.
          const key = body.action === 'note' ? body.idempotencyKey : undefined
          const accountId = context.session.user.id
          const named = { accountId, route: context.request.route, key, body, answer: triageChangeSchema }
          return { json: await writeOnce(tx, named, act) }
        })
      },
    }),
    defineChange(database, 'POST /bff/triage/undo', {
      access: 'analyst',
      body: triageUndoSchema,
      async change({ body, session }, tx, record) {
        const { action, change } = await undo(tx, body.undoId, triagerOf(session))
        if (isForRecord(action, change)) {
          await record({
            action: 'triage-undone',
            object: idOfOne(change) ?? body.undoId,
            after: { action, threats: change.states.length },
          })
        }
        return change
      },
    }),
  ]
}

function isForRecord(action: TriageEventAction, { states }: TriageChange): boolean {
  return states.length > 1 || (states.length === 1 && !LEFT_TO_HISTORY.has(action))
}

/** Null for several threats: their event says which. */
function idOfOne({ states }: TriageChange): string | null {
  return states.length === 1 ? (states[0]?.id ?? null) : null
}

function triagerOf({ user }: ReaderSession): Triager {
  return { accountId: user.id, who: user.email, name: user.name }
}

type TriageDependencies = { database: Database; readThreat: ReadThreat }

/**
 * Throws unless each of these threats exists: triage of any other id would be stored for good. One that no list has named
 * may have been opened by its address, and is requested from the vendor; for many that would cost too many calls.
 */
async function requireThreats(
  { database, readThreat }: TriageDependencies,
  ids: readonly string[],
  request: ReadRequest,
): Promise<void> {
  const unknown = await listUnknown(database, ids)
  const [first, ...others] = unknown
  if (first === undefined) return
  if (others.length === 0) {
    try {
      await readThreat(first, null, request)
      return
    } catch (error) {
      const isUnknown = error instanceof UpstreamError && error.kind === 'not_found'
      if (ids.length === 1 || !isUnknown) throw toProblem(error)
    }
  }
  const named = unknown.slice(0, NAMED_COUNT).map((id) => `“${visibleLine(id).slice(0, ID_SHOWN_LENGTH)}”`)
  const more = unknown.length > NAMED_COUNT ? ` and ${unknown.length - NAMED_COUNT} more` : ''
  throw notFound(
    `Lantern does not know ${named.join(', ')}${more}. Nothing was changed, for the other threats either. Reload the list, then try again.`,
    'Some of these threats do not exist',
  )
}

/** The acting account, its email for those who read the record later, and its name for those whom it mentions. */
type Triager = { accountId: string; who: string; name: string }

/**
 * Does something with the cases of some threats, for the whole team: all claims of a case change together. It can be
 * undone. Within a transaction.
 */
export async function actOn(db: Database, action: TriageAction, triager: Triager): Promise<TriageChange> {
  if (action.action === 'assign') await requireOwner(db, action.ownerId)
  const mentions = 'mentions' in action ? (action.mentions ?? []) : []
  const mentionedIds = await requireMentioned(db, mentions)
  await holdCases(db)
  const cases = await readCasesOf(db, action.ids)
  const states = await lockStates(db, [...cases.keys()], triager.accountId)
  const changed = action.action === 'note' ? states : states.filter((state) => isChange(action, state))
  if (changed.length === 0) return NOTHING_CHANGED

  const ids = changed.map(({ id }) => id)
  const aspect = ASPECTS[action.action]?.aspect
  const at = new Date().toISOString()
  if (aspect) await writeAspect(db, aspect, new Map(ids.map((id) => [id, markOf(action, at, triager.who)])))
  else await addNotes(db, ids, 1)
  await notifyLive(db, { kind: 'triage', ids })
  const after = await readCaseStates(db, ids, triager.accountId)
  // Last: from here on, everybody else's actions wait for this one to be done.
  const undoId = await addEvent(db, {
    ...triager,
    action: action.action,
    ids,
    reason: 'reason' in action ? action.reason : null,
    text: 'text' in action ? action.text : null,
    ownerId: 'ownerId' in action ? action.ownerId : null,
    mentions,
    before: aspect
      ? Object.fromEntries(changed.map((state) => [state.id, BEFORE[aspect].parse(state[aspect])]))
      : {},
  })
  const firstOfCases = new Map(action.ids.toReversed().map((id) => [cases.get(id), id]))
  const about = { eventId: undoId, author: triager, threatIds: [...firstOfCases.values()].toReversed() }
  if (action.action === 'note') await notifyMentioned(db, mentionedIds, { ...about, text: action.text })
  if (action.action === 'assign') await notifyOwner(db, action.ownerId, about)
  const overtook = newestOfOthers(changed, aspect, triager.who)
  return {
    states: after,
    undoId,
    caseCount: new Set(ids.map((id) => cases.get(id))).size,
    overtook: overtook && { ...overtook, who: await readPersonName(db, overtook.who) },
  }
}

const NOTHING_CHANGED: TriageChange = { states: [], undoId: null, caseCount: 0, overtook: null }

/** The newest decision of somebody else that an action has replaced. */
function newestOfOthers(
  states: readonly TriageState[],
  aspect: Aspect | undefined,
  who: string,
): TriageChange['overtook'] {
  if (aspect !== 'owner' && aspect !== 'closed') return null
  const marks = states.flatMap((state) => {
    const mark = state[aspect]
    return mark && mark.who !== who ? [{ at: mark.at, who: mark.who }] : []
  })
  return marks.toSorted((one, other) => other.at.localeCompare(one.at)).at(0) ?? null
}

async function requireOwner(db: Database, ownerId: string): Promise<void> {
  if (await canOwn(db, ownerId)) return
  throw badRequest(
    'Choose an analyst or an admin whose account is not disabled. Nothing was changed.',
    'This user cannot own a case',
  )
}

/** An action that was undone, and what that has changed. */
type Undone = { action: TriageEventAction; change: TriageChange }

/** Restores what one event has changed, unless somebody has changed it again since. Within a transaction. */
export async function undo(db: Database, undoId: string, triager: Triager): Promise<Undone> {
  await holdCases(db)
  const event = await findEvent(db, undoId)
  if (!event || event.action === 'undo') throw notFound('There is nothing of that kind to undo.')
  if (event.isUndone) throw conflict('This was undone already.')
  if (event.isOvertaken)
    throw conflict(
      'Somebody has changed one of these threats since. Look at them before you change them back.',
    )
  await restore(db, event)
  await withdrawMentions(db, undoId)
  const by = await addEvent(db, {
    ...triager,
    action: 'undo',
    ids: event.ids,
    reason: null,
    text: null,
    ownerId: null,
    before: {},
  })
  await markUndone(db, undoId, by)
  const cases = await readCasesOf(db, event.ids)
  const claimIds = [...cases.keys()]
  const taken = await takeBackShared(db, { ...event, id: undoId }, { claimIds, by })
  const changedIds = event.action === 'note' ? claimIds : [...new Set([...event.ids, ...taken])]
  await notifyLive(db, { kind: 'triage', ids: changedIds })
  const states = await readCaseStates(db, changedIds, triager.accountId)
  const caseCount = new Set(event.ids.map((id) => cases.get(id))).size
  return { action: event.action, change: { ...NOTHING_CHANGED, states, caseCount } }
}

/** The first person who read or starred stays named; another reason to close replaces the one before. */
function isChange(action: TriageAction, { read, starred, closed, owner }: TriageState): boolean {
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
    case 'assign':
      return owner?.ownerId !== action.ownerId
    case 'release':
      return owner !== null
    case 'note':
      return true
  }
}

function markOf(action: TriageAction, at: string, who: string) {
  if (action.action === 'assign') return { at, who, ownerId: action.ownerId }
  if (action.action === 'close') return { at, who, reason: action.reason, text: action.text }
  return action.action === 'read' || action.action === 'star' ? { at, who } : null
}

const accountSchema = z.object({ id: z.string(), isDisabled: z.boolean() })

/** Returns the mentioned accounts that can sign in. Throws if one of them does not exist. Nobody deletes them meanwhile. */
async function requireMentioned(tx: Database, mentions: readonly Mention[]): Promise<string[]> {
  const ids = [...new Set(mentions.map(({ accountId }) => accountId))]
  if (ids.length === 0) return []
  const accounts = await readRows(tx, accountSchema, [ids])`
    select id::text, disabled_at is not null as "isDisabled" from account where id = any($1::uuid[]) for key share`
  if (accounts.length < ids.length)
    throw badRequest(
      'Remove the name, and choose the user from the list again. The comment was not added.',
      'A mentioned user does not exist',
    )
  return accounts.flatMap(({ id, isDisabled }) => (isDisabled ? [] : [id]))
}

type Notice = {
  eventId: string
  author: { accountId: string; name: string }
  /** A threat of each case that it is about. */
  threatIds: readonly string[]
}

/** Puts a comment into the inbox of each account that it mentions. */
function notifyMentioned(
  tx: Database,
  accountIds: readonly string[],
  { text, ...about }: Notice & { text: string },
): Promise<void> {
  const { author, threatIds } = about
  const on = threatIds.length > 1 ? ` on ${threatIds.length} cases` : ''
  const title = `${author.name} mentioned you in a comment${on}`
  return notifyOthers(tx, accountIds, { ...about, title, detail: text, others: 'has:comment' })
}

/** Tells whom somebody else has made the owner of cases. */
async function notifyOwner(tx: Database, ownerId: string, about: Notice): Promise<void> {
  const { author, threatIds } = about
  const title = `${author.name} assigned ${threatIds.length === 1 ? 'a case' : `${threatIds.length} cases`} to you`
  const [first] = await readThreats(tx, threatIds.slice(0, 1))
  const detail = first?.title ?? 'Untitled threat'
  await notifyOthers(tx, [ownerId], { ...about, title, detail, others: 'is:mine' })
}

/** `others`: the search that the notice leads to if its cases are too many for a search. */
async function notifyOthers(
  tx: Database,
  accountIds: readonly string[],
  { eventId, author, threatIds, others, ...item }: Notice & { title: string; detail: string; others: string },
): Promise<void> {
  await addInboxItems(
    tx,
    accountIds
      .filter((accountId) => accountId !== author.accountId)
      .map((accountId) => ({
        ...item,
        accountId,
        kind: 'notice',
        path: pathTo(threatIds, others),
        mentionedIn: eventId,
      })),
  )
}

/** Leads to the one threat, or to the feed of all cases. */
function pathTo([first = '', ...more]: readonly string[], others: string): string {
  if (more.length === 0) return `/threats/${pathSegment(first)}`
  const q = `id:${[first, ...more].map((id) => writeValue(id)).join(',')}`
  return pathToFeed({ q: q.length > SEARCH_MAX_LENGTH ? others : q })
}
