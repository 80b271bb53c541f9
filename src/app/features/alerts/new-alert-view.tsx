import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { AlertCreated, AlertDestinations, AlertProfile } from '#contract/bff/alert.ts'
import { AlertBuilder } from './alert-builder.tsx'
import { alertListOptions, alertsKey } from './alert-options.ts'
import type { BuilderSearch } from './alert-search.ts'
import {
  type BuilderDraft,
  contentOf,
  copyOf,
  startDraft,
  storedOf,
  type WatchDraft,
  watchOfSearch,
} from './builder-draft.ts'
import { createDraftStore, type DraftStore } from './draft-store.ts'

type NewAlertViewProps = {
  search: BuilderSearch
  userId: string
  lookCost: ReactNode
  onLeave(created?: AlertCreated): void
  /** A profile was changed, or is left as it was. */
  onBack(id: string): void
}

/** The builder's page: begun empty, from a link or from a profile, and taken up again after a reload. */
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
  const [store] = useState(() => createDraftStore(userId))
  // Asked once: the first change of a copy makes it a draft of its own.
  const [isCopy] = useState(() => search.from !== undefined && store.draftOf(draftKey) === null)
  const needed = search.edit ?? search.from
  const list = useQuery({ ...alertListOptions(useTimeZone()), enabled: needed !== undefined })
  const isNeeded = isCopy || search.edit !== undefined
  if (isNeeded && list.isPending) return <Skeleton className="h-96 w-full rounded-lg" />
  if (isNeeded && !list.data) return <ErrorPanel error={list.error} onRetry={() => list.refetch()} />

  const profile = list.data?.profiles.find(({ id }) => id === needed)
  if (search.edit !== undefined && (!profile || !list.data?.extension)) {
    return (
      <p role="status" className="text-medium text-sm">
        {profile
          ? 'This source has no way to change a profile: duplicate it instead.'
          : 'The profile is not in the list any more.'}
      </p>
    )
  }
  const edited = search.edit === undefined ? undefined : profile
  return (
    <>
      {isCopy && !profile && (
        <p role="status" className="text-medium text-sm">
          The profile to copy is not in the list any more: begin with an empty one.
        </p>
      )}
      <KeptDraft
        {...props}
        store={store}
        watch={edited ? contentOf(edited) : profile ? copyOf(profile) : watchOfSearch(search)}
        edited={edited}
        original={edited ? undefined : profile?.destinations}
      />
    </>
  )
}

type KeptDraftProps = DraftStartProps & {
  watch: WatchDraft
  store: DraftStore
  edited: AlertProfile | undefined
  original: AlertDestinations | undefined
}

function KeptDraft(props: KeptDraftProps) {
  const { watch, store, draftKey, edited, onLeave, onBack } = props
  const queryClient = useQueryClient()
  // Webhooks are kept in memory alone: they survive a look at another page, not a reload.
  const memoryKey = [...alertsKey, 'draft', draftKey] as const
  const [initial] = useState(
    () => queryClient.getQueryData<BuilderDraft>(memoryKey) ?? startDraft(store.draftOf(draftKey) ?? watch),
  )

  const keep = (draft: BuilderDraft) => {
    queryClient.setQueryData(memoryKey, draft)
    store.keep(draftKey, storedOf(draft))
  }
  const forget = () => {
    queryClient.removeQueries({ queryKey: memoryKey })
    store.forget(draftKey)
  }
  const leave = (created?: AlertCreated) => {
    forget()
    onLeave(created)
  }

  const back = () => {
    forget()
    if (edited) onBack(edited.id)
  }

  return (
    <AlertBuilder
      initial={initial}
      edited={edited}
      original={props.original}
      lookCost={props.lookCost}
      onChange={keep}
      onDiscard={edited ? back : () => leave()}
      onCreated={leave}
      onChanged={back}
    />
  )
}
