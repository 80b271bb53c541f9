import { auditFacts, recordAudit } from '#bff/audit/record-audit.ts'
import { type BffRoute, defineRoute } from '#bff/route.ts'
import { threatParamsSchema } from '#contract/bff/threat-list.ts'
import { triageActionSchema, triageQuestionSchema, triageUndoSchema } from '#contract/bff/triage.ts'
import type { Database } from '#database/database.ts'
import { actOn, undo } from './triage.ts'
import { readHistory, readStates } from './triage-queries.ts'

const FREE = { cost: 0, cache: 'none' } as const
/** What one person does to one threat stands in its history; what is done to many at once is a change for the record. */
const BULK_MIN_COUNT = 2

/** What the team does with threats: everybody sees it, analysts do it. */
export function triageRoutes({ database }: { database: Database }): BffRoute[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/bff/triage/states',
      access: 'viewer',
      body: triageQuestionSchema,
      ...FREE,
      answer: async ({ body }) => ({ json: { states: await readStates(database, body.ids) } }),
    }),
    defineRoute({
      method: 'GET',
      path: '/bff/triage/:id/history',
      access: 'viewer',
      params: threatParamsSchema,
      ...FREE,
      answer: async ({ params }) => ({ json: await readHistory(database, params.id) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/triage',
      access: 'analyst',
      body: triageActionSchema,
      ...FREE,
      async answer({ body, ...asked }) {
        const change = await actOn(database, body, triagerOf(asked.session))
        if (change.states.length >= BULK_MIN_COUNT) {
          await recordAudit(database, {
            ...auditFacts('POST /bff/triage', asked),
            action: 'triage-changed',
            object: change.undoId,
            after: { action: body.action, threats: change.states.length },
          })
        }
        return { json: change }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/triage/undo',
      access: 'analyst',
      body: triageUndoSchema,
      ...FREE,
      async answer({ body, ...asked }) {
        const change = await undo(database, body.undoId, triagerOf(asked.session))
        if (change.states.length >= BULK_MIN_COUNT) {
          await recordAudit(database, {
            ...auditFacts('POST /bff/triage/undo', asked),
            action: 'triage-undone',
            object: body.undoId,
            after: { threats: change.states.length },
          })
        }
        return { json: change }
      },
    }),
  ]
}

function triagerOf({ user }: { user: { id: string; email: string } }) {
  return { accountId: user.id, who: user.email }
}
