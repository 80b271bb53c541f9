import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { count } from '#app/format/count.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { SelectField } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Ledger } from '#contract/bff/delivery-ledger.ts'
import {
  DELIVERY_CHANNELS,
  type Delivery,
  type DeliveryCounts,
  type DeliveryState,
  deliveryChannelSchema,
  deliveryStateSchema,
} from '#contract/delivery.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { knownAlertListOptions } from '../alert-options.ts'
import type { LedgerSearch } from '../alert-search.ts'
import { lanternProfileListOptions } from '../lantern-profile-options.ts'
import { exportLedgerMutation, type LedgerFilter, ledgerOptions } from './delivery-options.ts'
import { DeliveryPanel } from './delivery-panel.tsx'
import { CHANNELS } from './delivery-words.ts'
import { LedgerTable } from './ledger-table.tsx'

const LOADING_ROWS = Array<string>(12).fill('h-10 max-sm:h-14')

type LedgerViewProps = { search: LedgerSearch; onSearch(change: LedgerSearch): void }

/** Lists messages with their recipients and states. One message opens beside the list. */
export function LedgerView({ search, onSearch }: LedgerViewProps) {
  const { data: session } = useQuery(sessionOptions())
  const isAllowed = session !== undefined && session.user.role !== 'viewer'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <DocumentTitle title="Deliveries" />
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        <div>
          <Link
            to="/alerts"
            className="touch inline-flex items-center gap-1 rounded-sm text-muted text-sm hover:text-ink hover:underline"
          >
            <Icon name="arrow-left" className="size-3.5" />
            Alerts
          </Link>
          <h1 className="mt-1 font-semibold text-xl tracking-tight">Deliveries</h1>
        </div>
        {isAllowed && <ExportButtons filter={toLedgerFilter(search)} />}
      </div>
      <p className="max-w-[80ch] text-muted text-sm">
        Every message that Lantern sends, to users and to addresses outside, and how it went. Destinations are
        masked.
      </p>
      {isAllowed && <Messages search={search} onSearch={onSearch} />}
      {session && !isAllowed && (
        <div className="rounded-lg border border-line bg-surface">
          <EmptyState icon="lock" title="Deliveries are for analysts">
            They name who receives which message. An admin can give you the role of analyst.
          </EmptyState>
        </div>
      )}
    </div>
  )
}

function Messages({ search, onSearch }: LedgerViewProps) {
  const filter = toLedgerFilter(search)
  const query = useInfiniteQuery(ledgerOptions(filter))
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const newest = data?.pages[0]
  const opened = readOpened(search.open)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)

  return (
    <div
      className={
        opened ? 'grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]' : 'grid min-w-0'
      }
    >
      <div className={opened ? 'max-xl:hidden' : 'min-w-0'}>
        <div className="@container -mx-4 overflow-clip border-line border-y bg-surface sm:mx-0 sm:rounded-lg sm:border-x">
          {error && data && (
            <p role="alert" className="border-line border-b px-4 py-2 text-medium text-sm">
              Not current: {error.message}
            </p>
          )}
          {/* From the start, and nothing above the list that only its answer brings: the page keeps its place. */}
          {(newest || !error) && <LedgerCounts counts={newest?.counts} search={search} />}
          <LedgerFilters search={search} onSearch={onSearch} />
          <LoadedPart query={query} name="the messages" heights={LOADING_ROWS}>
            {({ pages }) => (
              <div className="border-line border-t">
                {newest?.deliveries.length === 0 ? (
                  <EmptyState icon="mail" title={isFiltered ? 'No message fits' : 'Nothing was sent yet'}>
                    {isFiltered
                      ? 'Choose another state, or clear a filter.'
                      : 'Messages appear here when a profile matches a new threat. To see one now, open a profile in Alerts and press Test.'}
                  </EmptyState>
                ) : (
                  <LedgerTable entries={joinPages(pages)} opened={opened} search={search} />
                )}
              </div>
            )}
          </LoadedPart>
          {hasNextPage && (
            <div className="border-line border-t p-3 text-center">
              <Button isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
                Show older
              </Button>
            </div>
          )}
          {newest?.isVendorSending && <VendorNote />}
        </div>
      </div>
      {opened && <DeliveryPanel id={opened} search={search} />}
    </div>
  )
}

/** A message that fails, or is sent again, while pages are read may be on two of them. */
function joinPages(pages: readonly Ledger[]): Delivery[] {
  const entries = pages.flatMap(({ deliveries }) => deliveries)
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()]
}

function VendorNote() {
  return (
    <p className="border-line border-t px-4 py-2.5 text-muted text-sm">
      Your vendor sends the messages of alert profiles itself, and Lantern cannot list them.
    </p>
  )
}

function ExportButtons({ filter }: { filter: LedgerFilter }) {
  const save = useMutation(exportLedgerMutation(filter))
  const button = (format: 'csv' | 'ndjson') => (
    <Button
      size="small"
      className="max-sm:h-11"
      isBusy={save.isPending && save.variables === format}
      onClick={() => save.mutate(format)}
    >
      {format.toUpperCase()}
    </Button>
  )
  return (
    <div className="ml-auto flex flex-wrap items-center gap-2">
      <ActionError error={save.error} not="exported" />
      <span className="text-muted text-xs">Export</span>
      {button('csv')}
      {button('ndjson')}
    </div>
  )
}

/** Each part for itself: one that cannot be read does not take the others with it. */
function toLedgerFilter({ state = [], channel, profile }: LedgerSearch): LedgerFilter {
  const states = state.flatMap((one): DeliveryState[] => {
    const known = deliveryStateSchema.safeParse(one)
    return known.success ? [known.data] : []
  })
  return {
    ...(states.length > 0 && { state: states }),
    channel: deliveryChannelSchema.safeParse(channel).data,
    ...(profile !== undefined && { causeId: profile }),
  }
}

/** Which message an address opens. Bookmarks of before say first who kept the ledger: `service.ID`. */
function readOpened(open: string | undefined): string | undefined {
  return open?.replace(/^(?:dashboard|service)\./, '')
}

type LedgerFiltersProps = { search: LedgerSearch; onSearch(change: LedgerSearch): void }

const NONE: LedgerSearch = { state: undefined, channel: undefined, profile: undefined }
const NAME_MAX_LENGTH = 60

/** Whose messages, and by which channel. */
function LedgerFilters({ search, onSearch }: LedgerFiltersProps) {
  const { data: source } = useQuery(sourceOptions())
  const timeZone = useTimeZone()
  // Profiles in the vendor's account have no messages here.
  const { data: list } = useQuery({
    ...knownAlertListOptions(timeZone),
    enabled: source?.isOwnService === true,
  })
  const { data: own } = useQuery(lanternProfileListOptions(timeZone))
  const profiles = [...(list?.profiles ?? []), ...(own?.profiles ?? [])]
  const chosen = search.profile ?? ''
  const isListed = profiles.some(({ id }) => id === chosen)
  const isFiltered = Boolean(search.state ?? search.channel ?? search.profile)

  return (
    <div className="grid grid-cols-2 items-end gap-3 border-line border-t px-4 py-3 sm:grid-cols-[minmax(0,14rem)_minmax(0,20rem)_auto]">
      <SelectField
        label="Channel"
        value={search.channel ?? ''}
        onChange={(event) => onSearch({ channel: event.target.value || undefined })}
      >
        <option value="">All channels</option>
        {DELIVERY_CHANNELS.map((channel) => (
          <option key={channel} value={channel}>
            {CHANNELS[channel]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Profile"
        value={chosen}
        onChange={({ target: { value } }) => onSearch({ profile: value || undefined })}
      >
        <option value="">All profiles</option>
        {chosen !== '' && !isListed && <option value={chosen}>One profile</option>}
        {profiles.map(({ id, name }) => (
          <option key={id} value={id}>
            {visibleLine(name).slice(0, NAME_MAX_LENGTH) || '(blank)'}
          </option>
        ))}
      </SelectField>
      <Button
        variant="quiet"
        disabled={!isFiltered}
        onClick={() => onSearch(NONE)}
        className="justify-self-start max-sm:h-11"
      >
        Clear
      </Button>
    </div>
  )
}

/** In the order in which somebody has to care. */
const GROUPS: readonly { label: string; states: DeliveryState[]; look: string }[] = [
  { label: 'failed', states: ['failed'], look: 'text-critical' },
  { label: 'unclear', states: ['unclear'], look: 'text-medium' },
  { label: 'held back', states: ['heldBack'], look: 'text-ink' },
  { label: 'on their way', states: ['queued', 'sending', 'retrying'], look: 'text-ink' },
  { label: 'not sent', states: ['notSent'], look: 'text-ink' },
  { label: 'sent', states: ['sent'], look: 'text-ink' },
]

type LedgerCountsProps = {
  /** Undefined while it is read. */
  counts: DeliveryCounts | undefined
  search: LedgerSearch
}

/** How many messages are in which state; a press shows those alone, another all again. */
function LedgerCounts({ counts, search }: LedgerCountsProps) {
  return (
    <nav aria-label="By state" className="flex flex-wrap gap-x-1 gap-y-1 px-2 py-2">
      {GROUPS.map(({ label, states, look }) => {
        const total = counts && states.reduce((sum, state) => sum + counts[state], 0)
        const isOn = search.state?.toSorted().join() === states.toSorted().join()
        return (
          <Link
            key={label}
            to="/alerts/deliveries"
            search={{ ...search, state: isOn ? undefined : states, open: undefined }}
            resetScroll={false}
            aria-current={isOn ? 'true' : undefined}
            activeProps={{}}
            className="flex h-8 items-center gap-1.5 rounded-md px-2 hover:bg-hover max-sm:h-11 aria-[current=true]:bg-accent/12"
          >
            {total === undefined ? (
              <Skeleton className="h-4 w-[1ch] text-base" />
            ) : (
              <span className={`font-semibold text-base tabular-nums ${total === 0 ? 'text-faint' : look}`}>
                {count(total)}
              </span>
            )}
            <span className="text-muted text-xs">{label}</span>
          </Link>
        )
      })}
    </nav>
  )
}
