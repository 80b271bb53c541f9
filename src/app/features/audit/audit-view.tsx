import { infiniteQueryOptions, mutationOptions, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { getJson } from '#app/api/get-json.ts'
import { request } from '#app/api/request.ts'
import { inOrder, isCrossed } from '#app/format/day-range.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateField } from '#app/ui/date-field.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { SelectField, TextField } from '#app/ui/field.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { saveFile } from '#app/ui/save-file.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { WideTable } from '#app/ui/wide-table.tsx'
import {
  AUDIT_ACTIONS,
  type AuditEvent,
  type AuditFilter,
  auditFilterSchema,
  auditPageSchema,
} from '#contract/bff/audit.ts'
import { actionWords, changeLines } from './audit-words.ts'

type AuditViewProps = {
  /** From the URL; what makes no filter is left out. */
  search: AuditSearch
  onSearch(change: AuditSearch): void
}

/** Who did what to what: to read, not to change. */
export function AuditView({ search, onSearch }: AuditViewProps) {
  const filter = readFilter(search)
  const scope = auditScopeOf(filter, useTimeZone())
  const query = useInfiniteQuery(auditOptions(scope))
  const save = useMutation(exportAuditMutation(scope))
  const saveButton = (format: 'csv' | 'json') => (
    <Button
      size="small"
      isBusy={save.isPending && save.variables === format}
      onClick={() => save.mutate(format)}
    >
      {format.toUpperCase()}
    </Button>
  )

  return (
    <SectionCard
      title="Audit log"
      note={<span className="text-faint text-xs">No user can change or delete what is written here.</span>}
      tools={
        <>
          <span className="text-muted text-xs">Export</span>
          {saveButton('csv')}
          {saveButton('json')}
        </>
      }
    >
      <AuditFilters search={filter} onSearch={onSearch} />
      <ActionError error={save.error} not="exported" className="px-4 pb-3" />
      <LoadedPart query={query} name="the audit log" heights={['h-96']}>
        {({ pages }) => {
          const events = pages.flatMap((page) => page.events)
          return events.length > 0 ? (
            <AuditTable events={events} />
          ) : (
            <EmptyState title="Nothing was written down that fits">
              Choose other days, or clear a filter.
            </EmptyState>
          )
        }}
      </LoadedPart>
      {query.hasNextPage && (
        <div className="border-line border-t p-3 text-center">
          <Button isBusy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </SectionCard>
  )
}

/** Each part for itself: one that cannot be read does not take the others with it. */
function readFilter(search: AuditSearch): AuditFilter {
  const { who, action, from, to } = auditFilterSchema.shape
  return {
    who: who.safeParse(search.who).data,
    action: action.safeParse(search.action).data,
    from: from.safeParse(search.from).data,
    to: to.safeParse(search.to).data,
  }
}

type AuditSearch = {
  who?: string | undefined
  action?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

type AuditFiltersProps = { search: AuditSearch; onSearch(change: AuditSearch): void }

const NONE: AuditSearch = { who: undefined, action: undefined, from: undefined, to: undefined }

function AuditFilters({ search, onSearch }: AuditFiltersProps) {
  const isFiltered = Object.values(search).some((value) => value !== undefined)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSearch({ who: String(new FormData(event.currentTarget).get('who')).trim() || undefined })
  }
  return (
    <form
      onSubmit={submit}
      className="grid grid-cols-2 items-start gap-3 px-4 py-3 lg:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_auto]"
    >
      <TextField
        key={search.who}
        label="Who"
        name="who"
        icon="search"
        placeholder="part of an email address"
        defaultValue={search.who}
        autoComplete="off"
        spellCheck={false}
        onBlur={(event) => event.target.form?.requestSubmit()}
      />
      <SelectField
        label="What"
        value={search.action ?? ''}
        onChange={(event) => onSearch({ action: event.target.value || undefined })}
      >
        <option value="">Everything</option>
        {AUDIT_ACTIONS.map((action) => (
          <option key={action} value={action}>
            {actionWords(action)}
          </option>
        ))}
      </SelectField>
      <DateField
        label="From"
        value={search.from ?? ''}
        onChange={(event) => onSearch({ from: event.target.value || undefined })}
      />
      <DateField
        label="To"
        hint={isCrossed(search) && 'Before From: read the other way round'}
        value={search.to ?? ''}
        onChange={(event) => onSearch({ to: event.target.value || undefined })}
      />
      <Button
        variant="quiet"
        disabled={!isFiltered}
        onClick={() => onSearch(NONE)}
        className="max-sm:h-11 lg:mt-5"
      >
        Clear
      </Button>
    </form>
  )
}

type AuditScope = AuditFilter & { timeZone: string }

/** The zone matters, and is named, only beside a day. */
function auditScopeOf(filter: AuditFilter, timeZone: string): AuditScope {
  return { ...inOrder(filter), timeZone: filter.from || filter.to ? timeZone : 'UTC' }
}

function auditOptions(scope: AuditScope) {
  return infiniteQueryOptions({
    queryKey: ['audit', scope],
    queryFn: ({ pageParam, signal }) =>
      getJson('audit', auditPageSchema, { query: { ...scope, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

/** Saves all that the scope covers. */
function exportAuditMutation(scope: AuditScope) {
  return mutationOptions({
    mutationFn: async (format: 'csv' | 'json') => {
      const response = await request('GET', '/bff/audit/export', { query: { ...scope, format } })
      const day = new Date().toISOString().slice(0, 10)
      saveFile(await response.blob(), `lantern-audit-${day}.${format}`)
    },
  })
}

const COLUMNS: readonly Column<AuditEvent>[] = [
  { key: 'at', head: 'When', cellClassName: 'whitespace-nowrap', cell: ({ at }) => <Time at={at} /> },
  {
    key: 'who',
    head: 'Who',
    cell: ({ actor }) =>
      actor ? <ShortText text={actor.email ?? actor.id} /> : <span className="text-faint">unknown</span>,
  },
  {
    key: 'what',
    head: 'What',
    cell: ({ action, route }) => <span title={route}>{actionWords(action)}</span>,
  },
  { key: 'of', head: 'Target', cell: (event) => <Subject event={event} /> },
  {
    key: 'change',
    head: 'Change',
    className: 'max-sm:col-span-2',
    cellClassName: 'text-xs',
    cell: (event) => <Change event={event} />,
  },
  {
    key: 'address',
    head: 'Address',
    className: 'max-sm:hidden',
    cellClassName: 'wrap-anywhere text-xs tabular-nums',
    cell: ({ address }) => address ?? '—',
  },
  {
    key: 'request',
    head: 'Request',
    className: 'max-sm:hidden',
    cellClassName: 'whitespace-nowrap font-mono text-faint text-xs',
    cell: ({ requestId }) => <span title={requestId ?? undefined}>{requestId?.slice(0, 8) ?? '—'}</span>,
  },
]

function AuditTable({ events }: { events: readonly AuditEvent[] }) {
  return (
    <WideTable
      label="Audit events"
      frameClassName="border-line border-t"
      caption="Audit events, newest first"
      columns={COLUMNS}
      rows={events}
      rowKey={({ id }) => id}
      grid="grid grid-cols-2 sm:min-w-288 sm:grid-cols-[13rem_minmax(0,3fr)_minmax(0,3fr)_minmax(0,3fr)_minmax(0,5fr)_minmax(0,2fr)_6.5rem]"
      className="max-sm:[&>thead]:sr-only [&>thead>tr]:h-8 [&>thead>tr]:items-center [&_td]:min-w-0 [&_td]:px-4 [&_td]:py-1.5 max-sm:[&_td]:py-0.5 [&_th]:px-4"
      rowLook={() => 'max-sm:py-1 [contain-intrinsic-size:auto_2rem] [content-visibility:auto]'}
    />
  )
}

function Subject({ event: { actor, object, objectName } }: { event: AuditEvent }) {
  if (actor !== null && object === actor.id) return <span className="text-faint">own account</span>
  const name = objectName || object
  return name ? <ShortText text={name} /> : <span className="text-faint">—</span>
}

function ShortText({ text }: { text: string }) {
  return (
    <span className="block truncate">
      <Untrusted text={text} maxLength={80} clip="silent" isRaw />
    </span>
  )
}

function Change({ event: { before, after } }: { event: AuditEvent }) {
  const lines = changeLines(before, after)
  if (lines.length === 0) return <span className="text-faint">—</span>
  return (
    <ul className="grid gap-0.5">
      {lines.map(({ name, from, to }) => (
        <li key={name} className="wrap-anywhere">
          <span className="text-muted">
            <Untrusted text={name} maxLength={60} clip="silent" />:
          </span>{' '}
          {from !== null && (
            <>
              <Untrusted text={from} maxLength={300} clip="silent" /> <span aria-hidden="true">→</span>
              <span className="sr-only">became</span>{' '}
            </>
          )}
          {to === null ? (
            <span className="text-faint">nothing</span>
          ) : (
            <Untrusted text={to} maxLength={300} clip="silent" />
          )}
        </li>
      ))}
    </ul>
  )
}
