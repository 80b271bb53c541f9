import { defineChange, makeChange } from '#bff/accounts/make-change.ts'
import { notFound } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute, type ReaderSession } from '#bff/http/route.ts'
import { writeOnce } from '#bff/http/write-once.ts'
import { readCaseStates } from '#bff/store/cases/case-states.ts'
import type { ReadThreat } from '#bff/store/details/read-threats.ts'
import { listOwners, listUnknown, readHistory } from '#bff/store/records/triage-queries.ts'
import { type ReadRequest, toReadRequest } from '#bff/upstream/cache/read-request.ts'
import { orProblem } from '#bff/upstream/client/to-problem.ts'
import { threatParamsSchema } from '#contract/bff/threat-list.ts'
import {
  TRIAGE_BODY_MAX_BYTES,
  type TriageChange,
  type TriageEventAction,
  triageActionSchema,
  triageChangeSchema,
  triageLookupSchema,
  triageUndoSchema,
} from '#contract/bff/triage.ts'
import type { Database } from '#database/database.ts'
import { actOn, type Triager, undo } from './triage.ts'

/** Only a threat's history names who has read or starred it: the audit record would hold little else. */
const LEFT_TO_HISTORY: ReadonlySet<TriageEventAction> = new Set(['read', 'unread', 'star', 'unstar'])

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
  const [first] = unknown
  if (first === undefined) return
  if (unknown.length > 1)
    throw notFound(
      `No list that Lantern has read names ${unknown.length} of them. Nothing was changed. Reload the list, then try again.`,
      'Some of these threats do not exist',
    )
  await orProblem(() => readThreat(first, null, request))
}
