import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { isCrossed } from '#app/format/day-range.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { DateField } from '#app/ui/date-field.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { SelectField } from '#app/ui/select-field.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { AUDIT_ACTIONS, type AuditFilter, auditFilterSchema } from '#contract/bff/audit.ts'
import { auditOptions, auditScopeOf, exportAuditMutation } from './audit-options.ts'
import { AuditTable } from './audit-table.tsx'
import { actionWords } from './audit-words.ts'

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
