import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { ApiError } from '#app/api/api-error.ts'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useDebouncedValue } from '#app/ui/use-debounced-value.ts'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import {
  ALERT_KEYWORDS_MAX_COUNT,
  type AlertChange,
  type AlertCreated,
  type AlertDestinations,
  type AlertDraft,
  type AlertProfile,
  type Backtest,
} from '#contract/bff/alert.ts'
import type { LanternProfileSaved } from '#contract/bff/alert-profile.ts'
import type { Source } from '#contract/bff/source.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { normaliseText } from '#matcher/normalise-text.ts'
import { alertsKey, createAlertMutation, knownAlertListOptions } from '../alert-options.ts'
import {
  backtestOptions,
  lanternProfileListOptions,
  lanternProfileMutations,
} from '../lantern-profile-options.ts'
import { profileMutations } from '../profiles/profile-mutations.ts'
import { AlertForm, type RenderSearch } from './alert-form.tsx'
import { BuilderActions } from './builder-actions.tsx'
import {
  type BuilderDraft,
  type Edited,
  fieldOfRecipient,
  hasWebhook,
  toAlertChange,
  toAlertDraft,
  toLanternDraft,
  usedPart,
} from './builder-draft.ts'
import { checkDraft, type DraftFaults, isComparable } from './check-draft.ts'
import { chooseHome, type Home } from './choose-home.ts'
import { hasFilter } from './has-filter.ts'
import { isUnclear } from './unclear-outcome.tsx'
import { loadSearchWords, type SearchWords } from './use-search-words.ts'

type AlertBuilderProps = {
  initial: BuilderDraft
  /** Addresses of the profile that this is a copy of. */
  original: AlertDestinations | undefined
  /** Undefined for a new one. */
  edited: Edited | undefined
  renderSearch: RenderSearch
  /** Null until it is there; a draft with a search has it. */
  words: SearchWords | null
  onChange(draft: BuilderDraft): void
  onDiscard(): void
  onCreated(created: AlertCreated): void
  /** In Lantern, created or changed. */
  onSaved(saved: LanternProfileSaved): void
  onChanged(): void
}

const BacktestPanel = lazyWhenIdle(async () => (await import('../backtest/backtest-panel.tsx')).BacktestPanel)
const DEBOUNCE_MS = 250

/** Writes a profile, and shows its future beside it. */
export function AlertBuilder(props: AlertBuilderProps) {
  const { initial, original, edited, words, onChange, onDiscard, onCreated, onSaved, onChanged } = props
  const queryClient = useQueryClient()
  const timeZone = useTimeZone()
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(initial)
  const [isTried, setIsTried] = useState(false)
  const [namesake, setNamesake] = useState<AlertProfile | null>(null)
  // The days and hours of a profile that is changed stay those of its zone.
  const zone = edited?.runsIn === 'lantern' ? edited.profile.timeZone : timeZone
  const { data: session } = useQuery(sessionOptions())
  const { refusal, isOwnService } = useAccount()
  const home: Home = edited
    ? { runsIn: edited.runsIn, sentence: '', other: null }
    : chooseHome(draft, { refusal, words, isOwnService })
  const inLantern = lanternProfileMutations(queryClient)
  const create = useMutation(createAlertMutation())
  const save = useMutation(profileMutations(queryClient).change)
  const createInLantern = useMutation(inLantern.create)
  const saveInLantern = useMutation(inLantern.change)
  const look = useMutation({
    mutationFn: async (name: string) => {
      // A failed lookup blocks nothing.
      const list = await queryClient.fetchQuery(knownAlertListOptions(timeZone)).catch(() => null)
      return findNamesake(list?.profiles ?? [], name)
    },
  })
  useUnloadWarning(hasWebhook(draft))

  const debounced = useDebouncedValue(draft, DEBOUNCE_MS)
  const { backtest, isSearched } = useBacktest(debounced, timeZone)
  // It costs no call, and says which hosts webhooks may lead to.
  const { data: list } = useQuery(lanternProfileListOptions(timeZone))
  const sendable = toAlertDraft(draft, words)
  const used = usedPart(draft, edited)
  const found = checkDraft(used, { hosts: list?.hosts ?? [], runsIn: home.runsIn })
  const faults: DraftFaults = new Map([
    ...refusedFields(create.error, create.variables, sendable),
    ...refusedFields(save.error, save.variables?.change, sendable),
    ...refusedRecipients(createInLantern.error ?? saveInLantern.error, used),
    ...(isTried ? found : faultsWhileTyping(found, draft)),
  ])
  const isBusy =
    look.isPending ||
    create.isPending ||
    save.isPending ||
    createInLantern.isPending ||
    saveInLantern.isPending

  const change = (changes: Partial<BuilderDraft>) => {
    const changed = { ...draft, ...changes }
    setDraft(changed)
    onChange(changed)
    // The refusal was about another draft.
    createInLantern.reset()
    saveInLantern.reset()
  }
  /** In the fields for keywords, where they are in use and can hold it. */
  const narrow = (filter: ThreatFilter) => {
    const simple = draft.mode === 'simple' ? words?.toSimple(filter) : undefined
    change(simple && !('lack' in simple) ? simple : { mode: 'search', filter })
  }
  const dropKeyword = (keyword: string) => {
    const at = draft.keywords.lastIndexOf(keyword)
    change({ keywords: draft.keywords.filter((_, index) => index !== at) })
  }
  const submit = () => {
    if (session?.user.role === 'viewer' || isBusy) return
    setIsTried(true)
    if (found.size > 0) return focusFirstFault(form.current, found)
    if (edited?.runsIn === 'vendor') {
      return save.mutate(
        { id: edited.profile.id, change: toAlertChange(draft, edited.profile.destinations) },
        { onSuccess: onChanged, onError: showRefused },
      )
    }
    if (home.runsIn === 'lantern') return sendToLantern()
    // One that may have been made already is looked for where it is sent.
    if (isUnclear(create.error)) return send()
    look.mutate(sendable.name, { onSuccess: (other) => (other ? setNamesake(other) : send()) })
  }
  const sendToLantern = async () => {
    const sent = toLanternDraft(used, zone, await loadSearchWords())
    if (edited?.runsIn !== 'lantern') return createInLantern.mutate(sent, { onSuccess: onSaved })
    const { isShift = false, ...content } = sent
    // A Lantern from before this knows no such change.
    const isTurned = isShift !== (edited.profile.isShift ?? false)
    const change = { ...content, ...(isTurned && { isShift }) }
    saveInLantern.mutate({ id: edited.profile.id, change }, { onSuccess: onSaved })
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
        edited={edited}
        runsIn={home.runsIn}
        hasEmail={list?.hasEmail !== false || (home.runsIn === 'vendor' && !isOwnService)}
        timeZone={zone}
        words={words}
        renderSearch={props.renderSearch}
        searchError={backtest.error}
        faults={faults}
        shares={backtest.data?.keywords ?? []}
        onChange={change}
        onSubmit={submit}
      >
        <BuilderActions
          isViewer={session?.user.role === 'viewer'}
          home={edited ? null : home}
          onChooseHome={(isForLantern) => change({ isForLantern })}
          create={create}
          error={save.error ?? createInLantern.error ?? saveInLantern.error}
          isEdited={edited !== undefined}
          isBusy={isBusy}
          question={
            namesake &&
            findNamesake([namesake], sendable.name) && (
              <NameTwice namesake={namesake} canRename={isOwnService} onCreate={send} />
            )
          }
          name={sendable.name}
          faultCount={isTried ? found.size : 0}
          backtest={isSearched && !draft.isShift ? backtest.data : undefined}
          onDiscard={onDiscard}
        />
      </AlertForm>
      {!draft.isShift && (
        <Suspense fallback={<Skeleton className="h-96 w-full rounded-lg" />}>
          <BacktestPanel
            filter={debounced.filter}
            isSearched={draft.mode === 'search' ? hasFilter(draft.filter) : draft.keywords.length > 0}
            backtest={backtest.data && withoutOwn(backtest.data, edited?.profile.id)}
            isBehind={backtest.isPlaceholderData || debounced !== draft}
            error={backtest.error}
            onRetry={() => backtest.refetch()}
            onDropKeyword={dropKeyword}
            onNarrow={edited?.runsIn === 'vendor' ? undefined : narrow}
          />
        </Suspense>
      )}
    </div>
  )
}

/** A profile that is changed does not overlap itself. */
function withoutOwn(backtest: Backtest, id: string | undefined): Backtest {
  return { ...backtest, overlaps: backtest.overlaps.filter(({ profileId }) => profileId !== id) }
}

/** Backtest of keywords one by one, or of a search. */
function useBacktest({ mode, keywords, categories, filter }: BuilderDraft, timeZone: string) {
  const isSearch = mode === 'search'
  const compared = keywords.filter(isComparable).slice(0, ALERT_KEYWORDS_MAX_COUNT)
  const isSearched = isSearch ? hasFilter(filter) : compared.length > 0
  const category = categories.length > 0 ? { category: categories } : {}
  const searched = isSearch ? { filter } : { filter: category, keywords: compared }
  const backtest = useQuery({ ...backtestOptions({ ...searched, timeZone }), enabled: isSearched })
  return { backtest, isSearched }
}

/**
 * Whose account holds profiles, and why it can hold none, as far as the page can know; the BFF decides. Null where it may.
 */
function useAccount(): { refusal: string | null; isOwnService: boolean } {
  const { data: source } = useQuery(sourceOptions())
  return { refusal: source ? findRefusal(source) : null, isOwnService: source?.isOwnService === true }
}

function findRefusal(source: Source): string | null {
  if (source.sets.earlier.status === 'absent') return 'this vendor offers no alert profiles.'
  if (source.sets.earlier.status !== 'forbidden') return null
  const { reason } = source.sets.earlier
  const plan = 'the plan of Lantern’s key does not include alert profiles.'
  return reason === null ? plan : `${plan} The API says: “${reason}”`
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

const TYPED_FAR_ENOUGH = 'https://'.length

/** Faults shown before the first press of the button: only those that more typing does not fix. */
function faultsWhileTyping(faults: DraftFaults, { slack, teams, webhook }: BuilderDraft): DraftFaults {
  const typed = new Map([
    ['slack', slack.trim()],
    ['teams', teams.trim()],
    ['webhook', webhook.trim()],
  ])
  return new Map(
    [...faults].filter(([field]) => {
      const address = typed.get(field)
      return address === undefined ? field.includes('.') : address.length >= TYPED_FAR_ENOUGH
    }),
  )
}

/** The fields that were refused when the draft was sent, but for those that have changed since. */
function refusedFields(error: Error | null, sent: AlertChange | undefined, now: AlertDraft): DraftFaults {
  const fields = error instanceof ApiError ? (error.problem.fields ?? []) : []
  const [before, after] = [new Map(Object.entries(sent ?? {})), new Map(Object.entries(now))]
  const standing = fields.filter(({ name }) => {
    const [member = ''] = name.split('.')
    return before.get(member) === after.get(member)
  })
  // The vendor's words: third-party text.
  return new Map(
    standing.map(({ name, reason }) => [name, <Untrusted key={name} text={reason} maxLength={300} />]),
  )
}

/** The recipients that were refused when the draft was sent to Lantern. */
function refusedRecipients(error: Error | null, draft: BuilderDraft): DraftFaults {
  const fields = error instanceof ApiError ? (error.problem.fields ?? []) : []
  return new Map(
    fields.flatMap(({ name, reason }) => {
      const field = name.startsWith('recipients.') ? fieldOfRecipient(draft, name) : undefined
      return field === undefined ? [] : [[field, reason] as const]
    }),
  )
}

/** Leads to the first field at fault, in the order of the form. */
function focusFirstFault(form: HTMLFormElement | null, faults: DraftFaults): void {
  const members = new Set([...faults.keys()].map((field) => field.split('.')[0]))
  const controls = [...(form?.querySelectorAll('input') ?? [])]
  controls.find(({ name }) => name !== '' && members.has(name))?.focus()
}

/** Another profile of the same name, in whatever case: a list would show two that look the same. */
function findNamesake(profiles: readonly AlertProfile[], name: string): AlertProfile | null {
  return profiles.find((profile) => fold(profile.name) === fold(name)) ?? null
}

function fold(name: string): string {
  return normaliseText(name).trim() || name.trim()
}

type NameTwiceProps = { namesake: AlertProfile; canRename: boolean; onCreate(): void }

/** Asks before a second profile of one name is made: the vendor offers no way to rename or delete one. */
function NameTwice({ namesake: { id, name, createdAt }, canRename, onCreate }: NameTwiceProps) {
  return (
    <section
      role="alert"
      className="grid grid-cols-[auto_1fr] gap-x-3 rounded-lg border border-medium/35 bg-medium/10 p-4"
    >
      <Icon name="alert" className="mt-0.5 size-5 text-medium" />
      <div className="grid justify-items-start gap-1.5 text-sm">
        <p className="font-semibold text-base">There is a profile of this name</p>
        <p className="text-muted">
          “<Untrusted text={name} maxLength={80} clip="silent" />”
          {createdAt !== null && (
            <>
              {' '}
              was created <Time at={createdAt} />
            </>
          )}
          . Two of one name are hard to tell apart{!canRename && ', and no profile can be renamed later'}.
        </p>
        <div className="mt-1 flex flex-wrap items-center gap-3">
          <Button onClick={onCreate}>Create a second one</Button>
          <Link
            to="/alerts"
            search={{ profile: id }}
            className="touch rounded-sm font-medium text-accent hover:underline"
          >
            Open the first
          </Link>
        </div>
      </div>
    </section>
  )
}
