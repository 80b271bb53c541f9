import { onlineManager, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, lazy, type ReactNode, Suspense, use, useEffect, useState } from 'react'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { whenIdle } from '#app/ui/when-idle.ts'
import type { TriageAction } from '#contract/bff/triage.ts'
import type { TriageOutcome, TriageRun } from './run-triage.ts'
import type { TriageCommand, TriageRequest } from './triage-command.ts'

// Not on the way to the first page: fetched when first needed.
const TriageDialog = lazy(async () => ({ default: (await import('./triage-dialog.tsx')).TriageDialog }))
const TriageStatus = lazy(async () => ({ default: (await import('./triage-status.tsx')).TriageStatus }))

type Triage = {
  /** Viewers only see what others have done: an attempt shows a message that says so. */
  isAllowed: boolean
  start(command: TriageCommand, ids: readonly string[]): void
  /** Answers whether it was done. */
  act(action: TriageAction): Promise<boolean>
  /** Says nothing and offers nothing: opening a threat is enough to have read it. */
  markRead(id: string): void
  /** Takes back what was done last, if it can be. */
  undo(): void
}

const NOTHING: Triage = {
  isAllowed: false,
  start() {},
  act: () => Promise.resolve(false),
  markRead() {},
  undo() {},
}
const READ_ONLY = Object.assign(new Error('Viewers read only'), {
  detail: 'Triage takes the role of analyst, which an admin can give you.',
})
/** Kept back, not queued: by the time that it went out, somebody else may have decided otherwise. */
function refusalWhileAway(): Error {
  return Object.assign(new Error(navigator.onLine ? 'Lantern is not answering' : 'You are offline'), {
    detail: 'It was not sent. Try again when you are online.',
  })
}
const TriageContext = createContext(NOTHING)

/** Stands above the feed and its threats, so that the last step can be undone from either. */
export function TriageProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient()
  const { data: session } = useQuery(sessionOptions())
  const [request, setRequest] = useState<TriageRequest | null>(null)
  const [last, setLast] = useState<(TriageOutcome & { at: number; canRetry: boolean }) | null>(null)
  const isViewer = session?.user.role === 'viewer'
  const isAllowed = session !== undefined && !isViewer

  const run = async (step: TriageRun): Promise<TriageOutcome> => {
    if (!onlineManager.isOnline()) return { run: step, change: null, error: refusalWhileAway() }
    const { runTriage } = await import('./run-triage.ts')
    const { id: accountId = '', name = '' } = session?.user ?? {}
    return runTriage(queryClient, step, { accountId, name })
  }
  const tell = async (step: TriageRun) => {
    const outcome = await run(step)
    setLast({ ...outcome, at: performance.now(), canRetry: outcome.error !== null })
    return outcome.error === null
  }
  /** Before it is known what would have been done. */
  const refuse = (error: Error, ids: readonly string[]) => {
    const run: TriageRun = { action: { action: 'read', ids: [...ids] } }
    setLast({ run, change: null, error, at: performance.now(), canRetry: false })
  }
  const act = (action: TriageAction) => tell({ action })
  const undo = () => {
    const undoId = last?.change?.undoId
    if (last && undoId) tell({ action: last.run.action, undoId })
  }
  useLoadedParts(isAllowed)
  const triage: Triage = {
    isAllowed,
    act,
    undo,
    async start(command, ids) {
      if (!onlineManager.isOnline()) return refuse(refusalWhileAway(), ids)
      const { actionOf } = await import('./triage-command.ts')
      const action = actionOf(queryClient, command, ids, session?.user.id ?? '')
      if ('action' in action) act(action)
      else setRequest(action)
    },
    markRead(id) {
      run({ action: { action: 'read', ids: [id] } })
    },
  }

  const readOnly: Triage = { ...NOTHING, start: (_command, ids) => refuse(READ_ONLY, ids) }

  return (
    <TriageContext value={isAllowed ? triage : isViewer ? readOnly : NOTHING}>
      {children}
      <Suspense>
        {request && <TriageDialog request={request} onAct={act} onClose={() => setRequest(null)} />}
        {last && (
          <TriageStatus
            key={last.at}
            outcome={last}
            onUndo={undo}
            onRetry={last.canRetry ? () => tell(last.run) : undefined}
            onClose={() => setLast(null)}
          />
        )}
      </Suspense>
    </TriageContext>
  )
}

/** Before the line goes: a key that was pressed is answered all the same, if only with why not. */
function useLoadedParts(isAllowed: boolean): void {
  useEffect(() => {
    if (!isAllowed) return
    whenIdle().then(() => {
      import('./run-triage.ts')
      import('./triage-command.ts')
      import('./triage-dialog.tsx')
      import('./triage-status.tsx')
    })
  }, [isAllowed])
}

export function useTriage(): Triage {
  return use(TriageContext)
}
