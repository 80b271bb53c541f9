import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError } from '#app/api/api-error.ts'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useDebouncedValue } from '#app/ui/use-debounced-value.ts'
import { ALERT_KEYWORDS_MAX_COUNT, type AlertCreated, type AlertDestinations } from '#contract/bff/alert.ts'
import { AlertForm } from './alert-form.tsx'
import { alertsKey, backtestOptions, createAlertMutation } from './alert-options.ts'
import { BacktestPanel } from './backtest-panel.tsx'
import { BuilderActions } from './builder-actions.tsx'
import { type BuilderDraft, hasWebhook, toAlertDraft } from './builder-draft.ts'
import { checkDraft, type DraftFaults, isComparable } from './check-draft.ts'
import { faultsWhileTyping, focusFirstFault, refusedFields } from './draft-faults.tsx'

type AlertBuilderProps = {
  initial: BuilderDraft
  /** Addresses of the profile that this is a copy of. */
  original: AlertDestinations | undefined
  /** What reading the list anew costs. */
  lookCost: ReactNode
  onChange(draft: BuilderDraft): void
  onDiscard(): void
  onCreated(created: AlertCreated): void
}

const DEBOUNCE_MS = 250

/** Writes a profile, and shows its future beside it. */
export function AlertBuilder(props: AlertBuilderProps) {
  const { initial, original, lookCost, onChange, onDiscard, onCreated } = props
  const queryClient = useQueryClient()
  const refusal = useCreationRefusal()
  const timeZone = useTimeZone()
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(initial)
  const [isTried, setIsTried] = useState(false)
  const create = useMutation(createAlertMutation())
  useUnloadWarning(hasWebhook(draft))

  const asked = useDebouncedValue(draft, DEBOUNCE_MS)
  const keywords = comparable(asked.keywords)
  const backtest = useQuery({
    ...backtestOptions({ keywords, categories: asked.categories, timeZone }),
    enabled: keywords.length > 0,
  })

  const sendable = toAlertDraft(draft)
  const found = checkDraft(draft)
  const faults: DraftFaults = new Map([
    ...refusedFields(create.error, create.variables, sendable),
    ...(isTried ? found : faultsWhileTyping(found, sendable)),
  ])

  const change = (changes: Partial<BuilderDraft>) => {
    const changed = { ...draft, ...changes }
    setDraft(changed)
    onChange(changed)
  }
  const dropKeyword = (keyword: string) => {
    const at = draft.keywords.lastIndexOf(keyword)
    change({ keywords: draft.keywords.filter((_, index) => index !== at) })
  }
  const submit = () => {
    if (refusal !== null || create.isPending) return
    setIsTried(true)
    if (found.size > 0) return focusFirstFault(form.current, found)
    create.mutate(sendable, {
      onSuccess: (created) => {
        queryClient.invalidateQueries({ queryKey: alertsKey })
        onCreated(created)
      },
      onError: (error) => {
        if (error instanceof ApiError) focusFirstFault(form.current, refusedFields(error, sendable, sendable))
      },
    })
  }

  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <AlertForm
        ref={form}
        draft={draft}
        original={original}
        faults={faults}
        shares={backtest.data?.keywords ?? []}
        onChange={change}
        onSubmit={submit}
      >
        <BuilderActions
          refusal={refusal}
          create={create}
          name={sendable.name}
          lookCost={lookCost}
          faultCount={isTried ? found.size : 0}
          backtest={keywords.length > 0 ? backtest.data : undefined}
          onDiscard={onDiscard}
        />
      </AlertForm>
      <BacktestPanel
        isAsked={draft.keywords.length > 0}
        backtest={backtest.data}
        isBehind={backtest.isPlaceholderData || asked !== draft}
        error={backtest.error}
        onRetry={() => backtest.refetch()}
        onDropKeyword={dropKeyword}
      />
    </div>
  )
}

/** Why this reader cannot create profiles, as far as the page can know; the BFF decides. Null when nothing speaks against it. */
function useCreationRefusal(): ReactNode {
  const { data: session } = useQuery(sessionOptions())
  const { data: source } = useQuery(sourceOptions())
  if (session?.user.role === 'viewer') {
    return 'Viewers may try keywords here; creating a profile takes the role of analyst. An administrator can give it to you.'
  }
  if (source?.sets.earlier.status !== 'forbidden') return null
  return (
    <>
      The plan of Lantern’s key does not include alert profiles; the backtest works all the same.
      {source.sets.earlier.reason !== null && (
        <>
          {' '}
          The API says: “<Untrusted text={source.sets.earlier.reason} maxLength={200} clip="silent" />”
        </>
      )}
    </>
  )
}

/** Those that the BFF takes: the others show their fault at the field. */
function comparable(keywords: readonly string[]): string[] {
  return keywords.filter(isComparable).slice(0, ALERT_KEYWORDS_MAX_COUNT)
}

/** While it is on, the browser asks before it reloads or closes the page. */
function useUnloadWarning(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isOn])
}
