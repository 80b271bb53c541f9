import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { useTriage } from '#app/features/triage/triage-provider.tsx'
import { IconButton } from '#app/ui/button.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { SkipLink } from '#app/ui/skip-link.tsx'
import { StaleBanner } from '#app/ui/stale-banner.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import { type ListOrder, orderOf, type Sort } from '#contract/bff/arrangement.ts'
import type { ThreatList } from '#contract/bff/threat-list.ts'
import {
  type ChangeSearch,
  claimScopeOf,
  filterOf,
  type ThreatListScope,
  type ThreatSearch,
} from '../address/threat-search.ts'
import { FeedFilters } from '../filters/feed-filters.tsx'
import { useQueryLanguage } from '../search/use-query-language.ts'
import { threatListOptions } from '../threat-options.ts'
import { useFeedKeys } from './feed-keys.ts'
import { FeedFailure, FeedStatus } from './feed-status.tsx'
import type { Grouped } from './grouped-rows.tsx'
import { useFeedReturn, useListPosition, useListScope } from './list-position.tsx'
import { ROW_GRID, ROW_LAYOUT, type RowLayout } from './row-grid.ts'
import { selectionOf } from './selection.ts'
import { focusThreatRow } from './threat-row.tsx'
import { ThreatTable } from './threat-table.tsx'
import { useNewestPage } from './use-newest-page.ts'

// Not on the way to the first page: fetched when first needed.
const KeyMap = lazy(async () => ({ default: (await import('./key-map.tsx')).KeyMap }))
const GroupedRows = lazy(async () => ({ default: (await import('./grouped-rows.tsx')).GroupedRows }))
const ArrangedRows = lazy(async () => ({ default: (await import('./arranged-rows.tsx')).ArrangedRows }))
const FeedEmpty = lazy(async () => ({ default: (await import('./feed-empty.tsx')).FeedEmpty }))
const FullTextSearch = lazy(async () => ({
  default: (await import('../search/full-text-search.tsx')).FullTextSearch,
}))
const SelectionBar = lazy(async () => ({ default: (await import('./selection-bar.tsx')).SelectionBar }))
const ArrangeMenu = lazyWhenIdle(async () => (await import('./arrange-menu.tsx')).ArrangeMenu)
const DisplayButton = lazyWhenIdle(async () => (await import('./arrange-menu.tsx')).DisplayButton)
const ThreatExportButton = lazyWhenIdle(
  async () => (await import('#app/features/export/threat-export-button.tsx')).ThreatExportButton,
)
// Below the rows.
const LoadMissing = lazyWhenIdle(
  async () => (await import('#app/features/periods/load-history.tsx')).LoadMissing,
)
const ListFoot = lazyWhenIdle(async () => (await import('./list-foot.tsx')).ListFoot)

type ThreatsFeedProps = {
  search: ThreatSearch
  /** The saved views. */
  views: ReactNode
  onChange: ChangeSearch
}

const SKELETON_ROWS = Array.from({ length: 12 }, (_, index) => index)
/** The most animation frames in which a busy browser must draw the new rows. */
const DRAWN_WITHIN_FRAMES = 60

function focusOnceDrawn(id: string, framesLeft = DRAWN_WITHIN_FRAMES): void {
  requestAnimationFrame(() => {
    if (!focusThreatRow(id) && framesLeft > 0) focusOnceDrawn(id, framesLeft - 1)
  })
}

export function ThreatsFeed({ search, views, onChange }: ThreatsFeedProps) {
  const queryClient = useQueryClient()
  const { isAllowed, start } = useTriage()
  const language = useQueryLanguage(search.q)
  const filter = filterOf(search)
  const scope = useListScope(search)
  const timeZone = useTimeZone()
  const { setClosed } = useListPosition()
  const feedReturn = useFeedReturn(search)
  const options = threatListOptions(scope)
  // Other groups have other heads: their rows tell nothing of them. The same function while the group is the same: for
  // another one the rows that stay would be worked out anew each time, without an end.
  const keepWithinGroup = useCallback(
    <Shown,>(shown: Shown, of?: { queryKey: readonly [string, string, ThreatListScope] }) => {
      const { group, groupOrder } = of?.queryKey[2] ?? {}
      return group === scope.group && groupOrder === scope.groupOrder ? shown : undefined
    },
    [scope.group, scope.groupOrder],
  )
  const isFaulty = language?.isFaulty(search.q ?? '') ?? false
  const list = useInfiniteQuery({ ...options, placeholderData: isFaulty ? undefined : keepWithinGroup })
  const { first, threats = [], endsEarly } = list.data ?? {}
  const newest = useNewestPage({
    scope,
    first: list.isPlaceholderData ? undefined : first,
    fetchedAt: list.dataUpdatedAt,
  })

  const searchField = useRef<HTMLInputElement>(null)
  const [noteTarget, setNoteTarget] = useState<Element | null>(null)
  const [keyMap, setKeyMap] = useState<'unused' | 'open' | 'closed'>('unused')
  useFeedKeys({ search: () => searchField.current?.focus(), help: () => setKeyMap('open') })

  const returnToRow = useEffectEvent(() => {
    if (feedReturn.leftId !== null) focusThreatRow(feedReturn.leftId)
  })
  useEffect(() => {
    // After the router has restored the scroll position.
    const frame = requestAnimationFrame(() => returnToRow())
    return () => cancelAnimationFrame(frame)
  }, [])

  const startFrom = (page: ThreatList) => {
    const newestId = page.threats.at(0)?.id
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

  const selection = selectionOf(search, threats, onChange)
  const isIdle = !list.isFetching && !list.isError

  const renderTable = (layout: RowLayout, grouped?: Grouped) => (
    <ThreatTable
      layout={layout}
      threats={threats}
      grouped={grouped}
      total={first?.cases ?? first?.total ?? null}
      // Rows that stay until the next answer belong to another request.
      filter={list.isPlaceholderData ? { ...filter, triage: undefined } : filter}
      order={search}
      onSort={(sort) => onChange((before) => listOrderAfterPress(before, sort))}
      selection={selection}
      feedReturn={feedReturn}
      noteTarget={noteTarget}
      onReload={() => newest.refresh.mutate(undefined, { onSuccess: startFrom })}
      goOn={list.hasNextPage && isIdle ? goOn : undefined}
    />
  )
  const empty = (
    <Suspense>
      <FeedEmpty search={search} first={first} onChange={onChange} searchField={searchField} />
    </Suspense>
  )
  const renderRows = (layout: RowLayout) => {
    if (!list.data) return null
    if (!search.group) return threats.length > 0 ? renderTable(layout) : empty
    return (
      <GroupedRows
        key={search.group}
        scope={scope}
        threats={threats}
        empty={empty}
        group={search.group}
        pages={list.data.pages}
        hasMore={list.hasNextPage}
        isPlaceholder={list.isPlaceholderData}
        fallback={<ThreatRowSkeletons />}
        onClose={(keys) => setClosed({ group: search.group, keys })}
      >
        {(grouped) => renderTable(layout, grouped)}
      </GroupedRows>
    )
  }

  return (
    <div className="grid gap-3">
      <DocumentTitle title="Threats" />
      <SkipToList firstId={threats[0]?.id} />
      <FeedHeading onShowKeys={() => setKeyMap('open')}>
        {views}
        <span className="ml-auto flex min-w-0 items-center gap-2 max-sm:gap-0">
          <Suspense>
            <ArrangeMenu search={search} onChange={onChange} />
            <DisplayButton search={search} onChange={onChange} />
            <ThreatExportButton query={claimScopeOf(search, timeZone)} />
          </Suspense>
        </span>
      </FeedHeading>
      <FeedFilters
        search={search}
        shown={list.isPlaceholderData ? undefined : first}
        error={isFaulty ? null : list.error}
        language={language}
        searchField={searchField}
        onChange={onChange}
      />
      <div className="@container -mx-4 flex flex-col border-line border-y bg-surface sm:mx-0 sm:rounded-lg sm:border-x">
        <FeedStatus
          search={search}
          list={list.isPlaceholderData ? undefined : newest.latest}
          isLoading={list.isPending || list.isPlaceholderData}
          newCount={newest.newCount}
          isNewCountWhole={newest.isNewCountWhole}
          refresh={newest.refresh}
          isNewestOnTop={newest.isNewestOnTop}
          onShowNew={() => newest.showNew(startFrom)}
          newsRef={setNoteTarget}
        />
        {search.q && !isFaulty && (
          // On a phone the first threat comes first.
          <div className="max-sm:order-last">
            <Suspense fallback={<div className="min-h-11 border-line border-b" />}>
              <FullTextSearch key={search.q} q={search.q} onFound={() => newest.refresh.mutate()} />
            </Suspense>
          </div>
        )}
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
        {list.data && (
          <div
            id={LIST_ID}
            tabIndex={-1}
            aria-busy={list.isPlaceholderData}
            className="outline-none transition-opacity delay-150 aria-busy:opacity-50"
          >
            <Suspense fallback={<ThreatRowSkeletons />}>
              {search.columns || search.density ? (
                <ArrangedRows columns={search.columns} density={search.density}>
                  {renderRows}
                </ArrangedRows>
              ) : (
                renderRows(ROW_LAYOUT)
              )}
            </Suspense>
          </div>
        )}
        {first && (
          <Suspense fallback={<div className="h-14" />}>
            <ListFoot
              first={first}
              shown={threats.length}
              isPart={scope.closed !== undefined}
              next={newest.isNewestOnTop ? 'older' : 'more'}
              hasMore={list.hasNextPage}
              endsEarly={endsEarly}
              isLoading={list.isFetchingNextPage}
              error={list.error}
              onMore={goOn}
              onReload={() => newest.refresh.mutate()}
            />
            {!list.hasNextPage && <LoadMissing coverage={first.freshness.coverage} />}
          </Suspense>
        )}
      </div>
      {search.selected && (
        <Suspense>
          <SelectionBar
            ids={search.selected}
            noun={search.rows === 'claims' ? 'claim' : 'case'}
            onClear={selection.clear}
            onCommand={isAllowed ? (command) => start(command, search.selected ?? []) : undefined}
          />
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

const LIST_ID = 'list'

/** Leads past filters and tools to the first threat, or to the list where its group is closed. */
function SkipToList({ firstId }: { firstId: string | undefined }) {
  if (firstId === undefined) return null
  return (
    <SkipLink
      to={LIST_ID}
      onFollow={() => focusThreatRow(firstId) || document.getElementById(LIST_ID)?.focus()}
    >
      Skip to the list
    </SkipLink>
  )
}

type FeedHeadingProps = {
  /** Actions for the list as a whole. */
  children: ReactNode
  onShowKeys(): void
}

function FeedHeading({ children, onShowKeys }: FeedHeadingProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 max-sm:gap-x-1">
      <h1 className="font-semibold text-xl tracking-tight">Threats</h1>
      {children}
      <IconButton
        icon="keyboard"
        label="Keyboard shortcuts"
        aria-haspopup="dialog"
        // There `?` alone shows them, to whoever has a keyboard.
        className="max-sm:hidden"
        onClick={onShowKeys}
      />
    </div>
  )
}

/** The list before its first page. */
function ThreatRowSkeletons() {
  return (
    <div role="status">
      <VisuallyHidden>Loading threats…</VisuallyHidden>
      <div className="h-8 border-line border-b max-sm:h-11" />
      {SKELETON_ROWS.map((row) => (
        <div key={row} className={`${ROW_GRID} h-14 items-center border-line border-b py-2`}>
          <Skeleton className="size-4 justify-self-center [grid-area:check]" />
          <Skeleton className="h-3 w-14 [grid-area:severity]" />
          <span className="grid gap-2 [grid-area:title]">
            <Skeleton className="h-3 w-3/5" />
            <Skeleton className="@max-2xl:hidden h-2.5 w-4/5" />
          </span>
          <Skeleton className="h-3 w-2/3 [grid-area:actor]" />
          <Skeleton className="@max-2xl:hidden h-3 w-1/2 [grid-area:victim]" />
          <Skeleton className="h-3 w-12 [grid-area:country]" />
          <Skeleton className="h-3 w-14 [grid-area:category]" />
          <Skeleton className="h-3 w-14 justify-self-end [grid-area:published]" />
        </div>
      ))}
    </div>
  )
}

/**
 * Returns the sort order after a press on a column's head: sorted by it, or reversed if it already is. Defaults are
 * omitted.
 */
export function listOrderAfterPress(before: ListOrder, sort: Sort): ListOrder {
  const isTurned = (before.sort ?? 'published') === sort && orderOf(before) === orderOf({ sort })
  const turned = orderOf({ sort }) === 'asc' ? 'desc' : 'asc'
  return { sort: sort === 'published' ? undefined : sort, order: isTurned ? turned : undefined }
}
