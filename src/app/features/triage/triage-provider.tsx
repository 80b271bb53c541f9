import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, lazy, type ReactNode, Suspense, use, useState } from 'react'
import { sessionOptions } from '#app/features/session/session-options.ts'
import type { TriageAction } from '#contract/bff/triage.ts'
import type { TriageOutcome, TriageRun } from './run-triage.ts'
import type { TriageCommand, TriageRequest } from './triage-command.ts'

// Not on the way to the first page: fetched when first needed.
const TriageDialog = lazy(async () => ({ default: (await import('./triage-dialog.tsx')).TriageDialog }))
const TriageStatus = lazy(async () => ({ default: (await import('./triage-status.tsx')).TriageStatus }))

type Triage = {
  /** Viewers only see what others have done. */
  isAllowed: boolean
  start(command: TriageCommand, ids: readonly string[]): void
  act(action: TriageAction): void
  /** Says nothing and offers nothing: opening a threat is enough to have read it. */
  markRead(id: string): void
  /** Takes back what was done last, if it can be. */
  undo(): void
}

const NOTHING: Triage = { isAllowed: false, start() {}, act() {}, markRead() {}, undo() {} }
const TriageContext = createContext(NOTHING)

/** Stands above the feed and its threats, so that the last step can be undone from either. */
export function TriageProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient()
  const { data: session } = useQuery(sessionOptions())
  const [asked, setAsked] = useState<TriageRequest | null>(null)
  const [last, setLast] = useState<(TriageOutcome & { at: number }) | null>(null)
  const isAllowed = session !== undefined && session.user.role !== 'viewer'

  const run = async (step: TriageRun) => {
    const { runTriage } = await import('./run-triage.ts')
    return runTriage(queryClient, step, session?.user.email ?? '')
  }
  const tell = async (step: TriageRun) => {
    const outcome = await run(step)
    setLast({ ...outcome, at: performance.now() })
  }
  const act = (action: TriageAction) => {
    tell({ action })
  }
  const undo = () => {
    const undoId = last?.change?.undoId
    if (last && undoId) tell({ action: last.run.action, undoId })
  }
  const triage: Triage = {
    isAllowed,
    act,
    undo,
    async start(command, ids) {
      const { actionOf } = await import('./triage-command.ts')
      const action = actionOf(queryClient, command, ids)
      if (action) act({ action, ids: [...ids] })
      else setAsked({ command, ids })
    },
    markRead(id) {
      run({ action: { action: 'read', ids: [id] } })
    },
  }

  return (
    <TriageContext value={isAllowed ? triage : NOTHING}>
      {children}
      <Suspense>
        {asked && <TriageDialog request={asked} onAct={act} onClose={() => setAsked(null)} />}
        {last && <TriageStatus key={last.at} outcome={last} onUndo={undo} onClose={() => setLast(null)} />}
      </Suspense>
    </TriageContext>
  )
}

export function useTriage(): Triage {
  return use(TriageContext)
}
