import { defineChange } from '#bff/accounts/make-change.ts'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import { conflict, notFound, type ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute, type ReaderSession } from '#bff/http/route.ts'
import { isComparingNear, readCaseOf } from '#bff/store/cases/case-queries.ts'
import {
  type DecidedPair,
  decidePairs,
  readOvertaking,
  undoDecisions,
} from '#bff/store/cases/decision-queries.ts'
import { readCasesToJoin, readWork } from '#bff/store/cases/join-preview.ts'
import { lockCases } from '#bff/store/cases/place-claims.ts'
import { settleCases } from '#bff/store/cases/settle-cases.ts'
import { readThreatConcerns } from '#bff/store/lists/threat-concerns.ts'
import {
  type CaseAction,
  caseActionSchema,
  caseUndoSchema,
  joinPreviewQuerySchema,
} from '#contract/bff/case.ts'
import { threatParamsSchema } from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'
import { pairsToJoin, requireCase, requireJoinable } from './join-cases.ts'

/** Cases: everybody reads them, analysts join and divide them. */
export function caseRoutes({ database }: { database: Database }): BffRoute[] {
  return [
    defineRoute('GET /bff/threats/:id/case', {
      params: threatParamsSchema,
      access: 'viewer',
      async answer({ params: { id }, session }) {
        const isComparing = await isComparingNear(database, id)
        const found = await readCaseOf(database, id)
        if (!found) return { json: { found, isComparing } }
        const threats = found.claims.map(({ threat }) => threat)
        const concerns = await readThreatConcerns(database, session.user.id, threats)
        const claims = found.claims.map(({ threat, reason }) => ({
          threat: { ...threat, ...concerns.of(threat.id) },
          reason,
        }))
        return { json: { found: { ...found, claims }, isComparing } }
      },
    }),
    defineChange(database, 'POST /bff/cases', {
      body: caseActionSchema,
      access: 'analyst',
      async change({ body, session }, tx, record) {
        await lockCases(tx)
        await requireNotOvertaken(tx, session, body)
        const pairs = await pairsOf(tx, body)
        // Older Lanterns know no other word for it.
        const action = body.action === 'join-all' ? 'join' : body.action
        const undoId = await decidePairs(tx, { ...authorOf(session), action }, pairs)
        if (undoId === null) return { undoId }
        await settlePairs(tx, pairs)
        const { revision, ...after } = body
        const object = body.action === 'join-all' ? (body.threatIds[0] ?? null) : body.threatId
        await record({ action: 'case-changed', object, after })
        return { undoId }
      },
    }),
    defineRoute('POST /bff/cases/preview', {
      body: joinPreviewQuerySchema,
      access: 'analyst',
      effect: 'none',
      async answer({ body: { threatIds } }) {
        const { cases, revision } = await readCasesToJoin(database, threatIds)
        const claimCount = cases.reduce((sum, found) => sum + found.claimCount, 0)
        requireJoinable(cases.length, claimCount)
        return { json: { ...(await readWork(database, cases)), revision } }
      },
    }),
    defineChange(database, 'POST /bff/cases/undo', {
      body: caseUndoSchema,
      access: 'analyst',
      async change({ body: { undoId }, session }, tx, record) {
        await lockCases(tx)
        const undoing = await undoDecisions(tx, authorOf(session), undoId)
        if (undoing.kind !== 'done') throw refusalOf(undoing.kind)
        await settlePairs(tx, undoing.pairs)
        await record({ action: 'case-undone', object: undoing.pairs[0]?.one ?? null, after: { undoId } })
      },
    }),
  ]
}

function authorOf({ user }: ReaderSession) {
  return { accountId: user.id, who: user.email }
}

const DEEDS = {
  join: 'joined claims to one case',
  split: 'took a claim out of its case',
  'keep-apart': 'kept claims apart',
  undo: 'undid a decision',
}

/** Nobody replaces unseen what somebody else has decided since the case was read. */
async function requireNotOvertaken(tx: Database, { user }: ReaderSession, action: CaseAction): Promise<void> {
  const threatIds = threatIdsOf(action)
  const by = { accountId: user.id, revision: action.revision }
  const overtaking = await readOvertaking(tx, by, threatIds)
  if (!overtaking) return
  throw conflict(
    `${overtaking.who} ${DEEDS[overtaking.action]}. Check the claims as they are now, then decide again.`,
  )
}

function threatIdsOf(action: CaseAction): readonly string[] {
  if (action.action === 'join-all') return action.threatIds
  return action.action === 'split' ? [action.threatId] : [action.threatId, action.otherId]
}

/** Turns an action into decisions on pairs of claims. */
async function pairsOf(tx: Database, action: CaseAction): Promise<DecidedPair[]> {
  if (action.action === 'join-all') return pairsToJoin(tx, action.threatIds, requireJoinable)
  const { threatId } = action
  if (action.action === 'join') return pairsToJoin(tx, [threatId, action.otherId])
  const own = await requireCase(tx, threatId)
  if (action.action === 'split') {
    const others = own.filter((id) => id !== threatId)
    if (others.length === 0) throw conflict('It is the only claim of its case.')
    return others.map((other) => ({ one: threatId, other, decision: 'apart' }))
  }
  const { otherId } = action
  await requireCase(tx, otherId)
  if (own.includes(otherId)) throw conflict('Both are claims of one case. Take one of them out of it.')
  return [{ one: threatId, other: otherId, decision: 'apart' }]
}

async function settlePairs(tx: Database, pairs: readonly DecidedPair[]): Promise<void> {
  await settleCases(tx, idsOf(pairs))
  await notifyLive(tx, { kind: 'cases' })
}

function idsOf(pairs: readonly DecidedPair[]): string[] {
  return [...new Set(pairs.flatMap(({ one, other }) => [one, other]))]
}

function refusalOf(kind: 'unknown' | 'undone' | 'overtaken'): ProblemError {
  switch (kind) {
    case 'unknown':
      return notFound('There is nothing of that kind to undo.')
    case 'undone':
      return conflict('This was undone already.')
    case 'overtaken':
      return conflict('Somebody has changed this case since. Look at it before you change it back.')
  }
}
