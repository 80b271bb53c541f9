import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { StaleBanner } from '#app/ui/stale-banner.tsx'
import type { Threat } from '#contract/bff/threat.ts'
import type { ThreatList } from '#contract/bff/threat-list.ts'
import type { ChangeSearch } from './change-search.ts'
import { toggleLoaded, toggleSelected, toggleThrough } from './change-selected.ts'
import { FeedEmpty } from './feed-empty.tsx'
import { FeedFailure } from './feed-failure.tsx'
import { FeedFilters } from './feed-filters.tsx'
import { FeedHeading } from './feed-heading.tsx'
import { type FeedCosts, FeedStatus } from './feed-status.tsx'
import type { FeedTriage } from './feed-triage.ts'
import { ListEnd } from './list-end.tsx'
import { SelectLoaded } from './select-loaded.tsx'
import { threatListOptions } from './threat-options.ts'
import { focusThreatRow } from './threat-row.tsx'
import { ThreatRowSkeletons } from './threat-row-skeletons.tsx'
import { filterOf, questionOf, type ThreatSearch } from './threat-search.ts'
import { ThreatTable } from './threat-table.tsx'
import { useFeedKeys } from './use-feed-keys.ts'
import { useNewestPage } from './use-newest-page.ts'
import { WindowEdge } from './window-edge.tsx'

// Not on the way to the first page: fetched when first needed.
const KeyMap = lazy(async () => ({ default: (await import('./key-map.tsx')).KeyMap }))
const SelectionBar = lazy(async () => ({ default: (await import('./selection-bar.tsx')).SelectionBar }))

type ThreatsFeedProps = {
  search: ThreatSearch
  /** The row that a returning reader left. */
  initialActiveId: string | null
  costs: FeedCosts
  triage: FeedTriage
  /** What can be done with the list as a whole. */
  tools: ReactNode
  onChange: ChangeSearch
  onOpen(threat: Threat): void
}

/** So many frames a busy browser has to draw the new rows. */
const DRAWN_WITHIN_FRAMES = 60

function focusOnceDrawn(id: string, framesLeft = DRAWN_WITHIN_FRAMES): void {
  requestAnimationFrame(() => {
    if (!focusThreatRow(id) && framesLeft > 0) focusOnceDrawn(id, framesLeft - 1)
  })
}

export function ThreatsFeed(props: ThreatsFeedProps) {
  const queryClient = useQueryClient()
  const { search, initialActiveId, costs, triage, tools, onChange, onOpen } = props
  const timeZone = useTimeZone()
  const question = questionOf(filterOf(search), timeZone)
  const options = threatListOptions(question)
  const list = useInfiniteQuery({ ...options, placeholderData: keepPreviousData })
  const { first, threats = [], unreadable = 0, endsEarly } = list.data ?? {}
  const newest = useNewestPage({
    question,
    threats,
    first: list.isPlaceholderData ? undefined : first,
    fetchedAt: list.dataUpdatedAt,
  })

  const searchField = useRef<HTMLInputElement>(null)
  const [newsSlot, setNewsSlot] = useState<Element | null>(null)
  const [keyMap, setKeyMap] = useState<'unused' | 'open' | 'closed'>('unused')
  useFeedKeys({ search: () => searchField.current?.focus(), help: () => setKeyMap('open') })

  const returnToRow = useEffectEvent(() => {
    if (initialActiveId !== null) focusThreatRow(initialActiveId)
  })
  useEffect(() => {
    // After the router has put the scroll place back.
    const frame = requestAnimationFrame(() => returnToRow())
    return () => cancelAnimationFrame(frame)
  }, [])

  const startFrom = (page: ThreatList | undefined) => {
    const newestId = page?.threats.at(0)?.id
    scrollTo({ top: 0 })
    // The button that had the focus is gone with its news.
    if (newestId) focusOnceDrawn(newestId)
  }
  const goOn = async () => {
    const wasOld = queryClient.getQueryState(options.queryKey)?.isInvalidated
    await list.fetchNextPage()
    // One more page makes those before it no newer.
    if (wasOld) queryClient.invalidateQueries({ queryKey: options.queryKey, exact: true })
  }

  const selected = new Set(search.selected)
  const loadedIds = () => threats.map(({ id }) => id)
  const select = (change: Parameters<ChangeSearch>[0]) =>
    onChange(change, { replace: true, keepScroll: true })

  return (
    <div className="grid gap-3">
      <DocumentTitle title="Threats" />
      <FeedHeading tools={tools} onShowKeys={() => setKeyMap('open')} />
      <FeedFilters
        search={search}
        list={first}
        understoodAs={list.isPlaceholderData ? null : (first?.understoodAs ?? null)}
        searchRef={searchField}
        onChange={onChange}
      />
      <div className="@container -mx-4 border-line border-y bg-surface sm:mx-0 sm:rounded-lg sm:border-x">
        <FeedStatus
          list={list.isPlaceholderData ? undefined : newest.latest}
          isLoading={list.isPending || list.isPlaceholderData}
          shown={threats.length}
          unreadable={unreadable}
          newCount={newest.newCount}
          isNewCountWhole={newest.isNewCountWhole}
          refresh={newest.refresh}
          onShowNew={() => startFrom(newest.showNew())}
          newsRef={setNewsSlot}
          costs={costs}
        />
        {newest.latest && <StaleBanner freshness={newest.latest.freshness} />}
        {list.isPending && <ThreatRowSkeletons />}
        {list.isError && !list.data && (
          <FeedFailure
            error={list.error}
            search={search}
            onChange={onChange}
            onRetry={() => list.refetch()}
          />
        )}
        {list.data && threats.length === 0 && (
          <FeedEmpty search={search} endsEarly={endsEarly} onChange={onChange} />
        )}
        {threats.length > 0 && (
          <div
            aria-busy={list.isPlaceholderData}
            className="transition-opacity delay-150 aria-busy:opacity-50"
          >
            <ThreatTable
              threats={threats}
              total={first?.total ?? null}
              set={search.set}
              askedActors={search.actor}
              askedCountries={search.country}
              selected={selected}
              selectAll={
                <SelectLoaded
                  threats={threats}
                  selected={selected}
                  onToggle={() => select((before) => toggleLoaded(before, loadedIds()))}
                />
              }
              initialActiveId={initialActiveId}
              triage={triage}
              triageFilter={list.isPlaceholderData ? undefined : search.triage}
              newsSlot={newsSlot}
              onReload={() => newest.refresh.mutate(undefined, { onSuccess: startFrom })}
              onSelect={({ id }) => select((before) => toggleSelected(before, id))}
              onSelectThrough={({ id }) => select((before) => toggleThrough(before, id, loadedIds()))}
              onOpen={onOpen}
              canGoOn={list.hasNextPage && !list.isFetching && !list.isError}
              onNearEnd={goOn}
            />
            <ListEnd
              shown={threats.length}
              hasMore={list.hasNextPage}
              endsEarly={endsEarly}
              isLoading={list.isFetchingNextPage}
              error={list.error}
              onMore={goOn}
              onReload={() => newest.refresh.mutate()}
            />
          </div>
        )}
        {first && !list.hasNextPage && !search.from && !search.within && <WindowEdge list={first} />}
      </div>
      {search.selected && (
        <Suspense>
          <SelectionBar ids={search.selected} onClear={() => select({ selected: undefined })}>
            {triage.renderBulkTools(search.selected)}
          </SelectionBar>
        </Suspense>
      )}
      {keyMap !== 'unused' && (
        <Suspense>
          <KeyMap page="feed" isOpen={keyMap === 'open'} onClose={() => setKeyMap('closed')} />
        </Suspense>
      )}
    </div>
  )
}
