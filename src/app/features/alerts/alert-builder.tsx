import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { ApiError } from '#app/api/api-error.ts'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useDebouncedValue } from '#app/ui/use-debounced-value.ts'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import {
  ALERT_KEYWORDS_MAX_COUNT,
  type AlertCreated,
  type AlertDestinations,
  type AlertProfile,
} from '#contract/bff/alert.ts'
import { AlertForm } from './alert-form.tsx'
import { alertsKey, backtestOptions, createAlertMutation, knownAlertListOptions } from './alert-options.ts'
import { BuilderActions } from './builder-actions.tsx'
import {
  type BuilderDraft,
  DESTINATIONS,
  type DestinationName,
  enteredAnew,
  hasWebhook,
  toAlertChange,
  toAlertDraft,
} from './builder-draft.ts'
import { checkDraft, type DraftFaults, isComparable } from './check-draft.ts'
import { faultsWhileTyping, focusFirstFault, refusedFields } from './draft-faults.tsx'
import { findNamesake, NameTwice } from './name-twice.tsx'
import { profileMutations } from './profile-mutations.ts'
import { isUnclear } from './unclear-outcome.tsx'
import { watchListOptions } from './watch-options.ts'

type AlertBuilderProps = {
  initial: BuilderDraft
  /** Addresses of the profile that this is a copy of. */
  original: AlertDestinations | undefined
  /** The profile that is changed; undefined for a new one. */
  edited: AlertProfile | undefined
  /** What reading the list anew costs. */
  lookCost: ReactNode
  onChange(draft: BuilderDraft): void
  onDiscard(): void
  onCreated(created: AlertCreated): void
  onChanged(): void
}

const BacktestPanel = lazyWhenIdle(async () => (await import('./backtest-panel.tsx')).BacktestPanel)
const DEBOUNCE_MS = 250

/** Writes a profile, and shows its future beside it. */
export function AlertBuilder(props: AlertBuilderProps) {
  const { initial, original, edited, lookCost, onChange, onDiscard, onCreated, onChanged } = props
  const queryClient = useQueryClient()
  const refusal = useCreationRefusal()
  const timeZone = useTimeZone()
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(initial)
  const [isTried, setIsTried] = useState(false)
  const [namesake, setNamesake] = useState<AlertProfile | null>(null)
  const [replaced, setReplaced] = useState(() => enteredAnew(initial))
  const create = useMutation(createAlertMutation())
  const save = useMutation(profileMutations(queryClient).change)
  const look = useMutation({
    mutationFn: async (name: string) => {
      // What cannot be looked up does not stand in the way.
      const list = await queryClient.fetchQuery(knownAlertListOptions(timeZone)).catch(() => null)
      return findNamesake(list?.profiles ?? [], name)
    },
  })
  useUnloadWarning(hasWebhook(draft))

  const asked = useDebouncedValue(draft, DEBOUNCE_MS)
  const keywords = comparable(asked.keywords)
  const backtest = useQuery({
    ...backtestOptions({ keywords, categories: asked.categories, timeZone }),
    enabled: keywords.length > 0,
  })

  // It costs no call, and says which hosts webhooks may lead to.
  const { data: watches } = useQuery(watchListOptions())
  const sendable = toAlertDraft(draft)
  const found = checkDraft(draft, watches?.hosts ?? [])
  const faults: DraftFaults = new Map([
    ...refusedFields(create.error, create.variables, sendable),
    ...refusedFields(save.error, save.variables?.change, sendable),
    ...(isTried ? found : faultsWhileTyping(found, sendable)),
  ])

  const change = (changes: Partial<BuilderDraft>) => {
    const changed = { ...draft, ...changes }
    setDraft(changed)
    onChange(changed)
  }
  const replace = (name: DestinationName, isReplaced: boolean) =>
    setReplaced(
      (before) => new Set(DESTINATIONS.filter((one) => (one === name ? isReplaced : before.has(one)))),
    )
  const dropKeyword = (keyword: string) => {
    const at = draft.keywords.lastIndexOf(keyword)
    change({ keywords: draft.keywords.filter((_, index) => index !== at) })
  }
  const submit = () => {
    if (refusal !== null || look.isPending || create.isPending || save.isPending) return
    setIsTried(true)
    if (found.size > 0) return focusFirstFault(form.current, found)
    if (edited) {
      return save.mutate(
        { id: edited.id, change: toAlertChange(draft, replaced) },
        { onSuccess: onChanged, onError: showRefused },
      )
    }
    // One that may have been made already is looked for where it is sent.
    if (isUnclear(create.error)) return send()
    look.mutate(sendable.name, { onSuccess: (other) => (other ? setNamesake(other) : send()) })
  }
  const showRefused = (error: Error) => {
    if (error instanceof ApiError) focusFirstFault(form.current, refusedFields(error, sendable, sendable))
  }
  const send = () => {
    setNamesake(null)
    create.mutate(sendable, {
      onSuccess: (created) => {
        queryClient.invalidateQueries({ queryKey: alertsKey })
        onCreated(created)
      },
      onError: showRefused,
    })
  }

  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <AlertForm
        ref={form}
        draft={draft}
        original={original}
        kept={edited && { destinations: edited.destinations, replaced, onReplace: replace }}
        faults={faults}
        shares={backtest.data?.keywords ?? []}
        onChange={change}
        onSubmit={submit}
      >
        <BuilderActions
          refusal={refusal}
          create={create}
          change={edited && save}
          isLooking={look.isPending}
          question={
            namesake &&
            findNamesake([namesake], sendable.name) && <NameTwice namesake={namesake} onCreate={send} />
          }
          name={sendable.name}
          lookCost={lookCost}
          faultCount={isTried ? found.size : 0}
          backtest={keywords.length > 0 ? backtest.data : undefined}
          onDiscard={onDiscard}
        />
      </AlertForm>
      <Suspense fallback={<Skeleton className="h-96 w-full rounded-lg" />}>
        <BacktestPanel
          isAsked={draft.keywords.length > 0}
          backtest={backtest.data}
          isBehind={backtest.isPlaceholderData || asked !== draft}
          error={backtest.error}
          onRetry={() => backtest.refetch()}
          onDropKeyword={dropKeyword}
        />
      </Suspense>
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
  if (source?.sets.earlier.status === 'absent') {
    return 'This source offers no alert profiles; the backtest works all the same.'
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
