import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import * as z from 'zod/mini'
import { type BrowserStore, createBrowserStore } from '#app/ui/browser-store.ts'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { AlertCreated, AlertDestinations } from '#contract/bff/alert.ts'
import type { LanternProfileSaved } from '#contract/bff/alert-profile.ts'
import { alertListOptions, alertsKey } from '../alert-options.ts'
import type { BuilderSearch } from '../alert-search.ts'
import { lanternProfileListOptions } from '../lantern-profile-options.ts'
import { AlertBuilder } from './alert-builder.tsx'
import type { RenderSearch } from './alert-form.tsx'
import {
  type BuilderDraft,
  contentOf,
  copyOf,
  type Edited,
  filterOfSearch,
  type StoredDraft,
  startDraft,
  startOfSearch,
  storedDraftSchema,
  storedOf,
} from './builder-draft.ts'
import { hasFilter } from './has-filter.ts'
import { type SearchWords, useSearchWords } from './use-search-words.ts'

// Only after a profile with a signed webhook was saved.
const SavedProfile = lazy(async () => ({ default: (await import('./saved-profile.tsx')).SavedProfile }))

type NewAlertViewProps = {
  search: BuilderSearch
  userId: string
  renderSearch: RenderSearch
  /** With the id of the profile that was created, if one was, and how. */
  onLeave(created?: { id: string; outcome?: AlertCreated['outcome'] }): void
  /** A profile was changed, or is left as it was. */
  onBack(id: string): void
}

/** The builder's page: begun empty, from a search or from a profile, and taken up again after a reload. */
export function NewAlertView(props: NewAlertViewProps) {
  const key = JSON.stringify(props.search)
  const title = props.search.edit === undefined ? 'New alert profile' : 'Edit alert profile'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <DocumentTitle title={title} />
      <div>
        <Link
          to="/alerts"
          className="inline-flex items-center gap-1 rounded-sm text-muted text-sm hover:text-ink hover:underline"
        >
          <Icon name="arrow-left" className="size-3.5" />
          Alerts
        </Link>
        <h1 className="mt-1 font-semibold text-xl tracking-tight">{title}</h1>
      </div>
      <DraftStart key={key} {...props} draftKey={key} />
    </div>
  )
}

type DraftStartProps = NewAlertViewProps & { draftKey: string }

function DraftStart(props: DraftStartProps) {
  const { search, userId, draftKey } = props
  const [store] = useState(() => draftStoreOf(userId))
  // This is read once, because the first change of a copy makes it a separate draft.
  const [isCopy] = useState(() => search.copy !== undefined && findDraft(store, draftKey) === null)
  const needed = search.edit ?? search.copy
  const { source, isPending, error, refetch, canChange } = useSourceProfile(needed)
  const isNeeded = isCopy || search.edit !== undefined
  const isSearch =
    findDraft(store, draftKey)?.mode === 'search' ||
    source?.runsIn === 'lantern' ||
    hasFilter({ ...filterOfSearch(search), category: undefined })
  const words = useSearchWords(isSearch)
  if ((isNeeded && isPending) || (isSearch && !words)) return <Skeleton className="h-96 w-full rounded-lg" />
  if (isNeeded && error) return <ErrorPanel error={error} onRetry={refetch} />
  if (search.edit !== undefined && (!source || !canChange)) {
    return (
      <p role="status" className="text-medium text-sm">
        {source
          ? 'The vendor has no way to change a profile: duplicate it instead.'
          : 'The profile is not in the list any more.'}
      </p>
    )
  }
  const edited = search.edit === undefined ? undefined : (source ?? undefined)
  const begun = edited
    ? contentOf(edited.profile, words)
    : source
      ? copyOf(source.profile, words)
      : startOfSearch(search, userId, words)
  return (
    <>
      {isCopy && !source && (
        <p role="status" className="text-medium text-sm">
          The profile to copy is not in the list any more: begin with an empty one.
        </p>
      )}
      <KeptDraft
        {...props}
        store={store}
        words={words}
        begun={begun}
        edited={edited}
        original={!edited && source?.runsIn === 'vendor' ? source.profile.destinations : undefined}
      />
    </>
  )
}

/** The profile that the address names. The vendor's list may cost a call: it is read where Lantern has no such profile. */
function useSourceProfile(id: string | undefined) {
  const timeZone = useTimeZone()
  const own = useQuery({ ...lanternProfileListOptions(timeZone), enabled: id !== undefined })
  const inLantern = own.data?.profiles.find((profile) => profile.id === id)
  const isElsewhere = id !== undefined && !own.isPending && !inLantern
  const list = useQuery({ ...alertListOptions(timeZone), enabled: isElsewhere })
  const inVendor = list.data?.profiles.find((profile) => profile.id === id)
  const source: Edited | null = inLantern
    ? { runsIn: 'lantern', profile: inLantern }
    : inVendor
      ? { runsIn: 'vendor', profile: inVendor }
      : null
  return {
    source,
    isPending: own.isPending || (isElsewhere && list.isPending),
    error: isElsewhere && !list.data ? list.error : null,
    refetch: () => list.refetch(),
    canChange: source?.runsIn === 'lantern' || Boolean(list.data?.extension),
  }
}

type KeptDraftProps = DraftStartProps & {
  words: SearchWords | null
  begun: Partial<StoredDraft>
  store: DraftStore
  edited: Edited | undefined
  original: AlertDestinations | undefined
}

function KeptDraft(props: KeptDraftProps) {
  const { begun, store, draftKey, edited, onLeave, onBack } = props
  const queryClient = useQueryClient()
  // Webhooks are kept in memory alone: they survive a look at another page, not a reload.
  const memoryKey = [...alertsKey, 'draft', draftKey] as const
  const [initial] = useState(
    () =>
      queryClient.getQueryData<BuilderDraft>(memoryKey) ?? startDraft(findDraft(store, draftKey) ?? begun),
  )
  // Its secrets are shown once: the page stays until they are copied.
  const [saved, setSaved] = useState<LanternProfileSaved | null>(null)

  const keep = (draft: BuilderDraft) => {
    queryClient.setQueryData(memoryKey, draft)
    keepDraft(store, draftKey, storedOf(draft))
  }
  const forget = () => {
    queryClient.removeQueries({ queryKey: memoryKey })
    keepDraft(store, draftKey, null)
  }
  const leave: NewAlertViewProps['onLeave'] = (created) => {
    forget()
    onLeave(created)
  }
  const back = () => {
    forget()
    if (edited) onBack(edited.profile.id)
  }
  const finish = ({ profile: { id } }: LanternProfileSaved) => (edited ? onBack(id) : onLeave({ id }))

  if (saved) {
    return (
      <Suspense>
        <SavedProfile saved={saved} onClose={() => finish(saved)} />
      </Suspense>
    )
  }
  return (
    <AlertBuilder
      initial={initial}
      edited={edited}
      original={props.original}
      words={props.words}
      renderSearch={props.renderSearch}
      onChange={keep}
      onDiscard={edited ? back : () => leave()}
      onCreated={({ profile: { id }, outcome }) => leave({ id, outcome })}
      onSaved={(profile) => {
        forget()
        if (Object.keys(profile.secrets).length > 0) setSaved(profile)
        else finish(profile)
      }}
      onChanged={back}
    />
  )
}

const storeSchema = z.object({
  /** Drafts being written, by the address of the builder that they were begun at. */
  drafts: z.array(z.object({ key: z.string(), draft: storedDraftSchema })),
})

type DraftStore = BrowserStore<z.infer<typeof storeSchema>>

const KEPT_DRAFTS = 10

/** Drafts of this browser tab and of one account: another in the same tab sees none of them. Webhooks never come here. */
function draftStoreOf(userId: string): DraftStore {
  return createBrowserStore({
    // Another name than before: drafts of then do not say which destinations the profile keeps.
    key: `lantern.profile-drafts.${userId}`,
    schema: storeSchema,
    fallback: { drafts: [] },
    lifetime: 'session',
  })
}

function findDraft(store: DraftStore, key: string): StoredDraft | null {
  return store.read().drafts.find((kept) => kept.key === key)?.draft ?? null
}

/** Keeps a draft, or with null none, at the address. */
function keepDraft(store: DraftStore, key: string, draft: StoredDraft | null): void {
  const others = store.read().drafts.filter((kept) => kept.key !== key)
  store.write({ drafts: draft ? [...others.slice(1 - KEPT_DRAFTS), { key, draft }] : others })
}
