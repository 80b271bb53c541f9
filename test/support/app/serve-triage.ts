import { HttpResponse, http } from 'msw'
import { applyAction } from '#app/features/triage/run-triage.ts'
import { type TriageAction, triageActionSchema } from '#contract/bff/triage.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'
import { fakeBff, SESSION } from './fake-bff.ts'

export const MARK = { at: '2026-11-21T12:00:00.000Z', who: SESSION.user.name }
export const ADA = { at: MARK.at, accountId: SESSION.user.id, name: SESSION.user.name }

/** A BFF that remembers what was done with threats. */
export function serveTriage() {
  let states: TriageState[] = []
  const before = new Map<string, TriageState[]>()
  const actions: TriageAction[] = []
  const act = (action: TriageAction) => {
    const undoId = String(actions.push(action))
    before.set(undoId, states)
    states = applyAction(states, action, ADA)
    return undoId
  }
  fakeBff.use(
    http.post('/bff/triage/states', () => HttpResponse.json({ states })),
    http.post('/bff/triage', async ({ request }) => {
      const action = triageActionSchema.parse(await request.json())
      const undoId = act(action)
      return HttpResponse.json({
        states: states.filter(({ id }) => action.ids.includes(id)),
        undoId,
        caseCount: action.ids.length,
        overtook: null,
      })
    }),
    http.post('/bff/triage/undo', async ({ request }) => {
      const { undoId } = Object(await request.json())
      const undone = actions[Number(undoId) - 1]
      states = before.get(undoId) ?? []
      const untouched = { read: null, starred: null, closed: null, owner: null, notes: 0 }
      const changed = undone?.ids.map((id) => states.find((state) => state.id === id) ?? { id, ...untouched })
      return HttpResponse.json({
        states: changed,
        undoId: null,
        caseCount: changed?.length ?? 0,
        overtook: null,
      })
    }),
  )
  return { actions, act, stateOf: (id: string) => states.find((state) => state.id === id) }
}
