import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { explainError } from '#app/ui/explain-error.ts'
import { useTimeZone } from '#app/ui/preferences.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { type AuditFilter, auditFilterSchema } from '#contract/bff/audit.ts'
import { AuditFilters, type AuditSearch } from './audit-filters.tsx'
import { auditOptions, auditScopeOf, exportAuditMutation } from './audit-options.ts'
import { AuditTable } from './audit-table.tsx'

type AuditViewProps = {
  /** From the URL; what makes no filter is left out. */
  search: AuditSearch
  onSearch(change: AuditSearch): void
}

/** Who did what to what: to read, not to change. */
export function AuditView({ search, onSearch }: AuditViewProps) {
  const filter = readFilter(search)
  const scope = auditScopeOf(filter, useTimeZone())
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    auditOptions(scope),
  )
  const save = useMutation(exportAuditMutation(scope))
  const events = data?.pages.flatMap((page) => page.events)
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
      {save.error && (
        <p role="alert" className="px-4 pb-3 text-critical text-sm">
          Not exported. {explainError(save.error).message}. {explainError(save.error).detail}
        </p>
      )}
      {!events && !error && <AuditSkeleton />}
      {!events && error && (
        <div className="p-4">
          <ErrorPanel error={error} onRetry={() => refetch()} />
        </div>
      )}
      {events?.length === 0 && (
        <EmptyState title="Nothing was written down that fits">
          Choose other days, or clear a filter.
        </EmptyState>
      )}
      {events && events.length > 0 && <AuditTable events={events} />}
      {hasNextPage && (
        <div className="border-line border-t p-3 text-center">
          <Button isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
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

function AuditSkeleton() {
  return (
    <div role="status" className="p-4">
      <VisuallyHidden>Loading the audit log…</VisuallyHidden>
      <Skeleton className="h-96 w-full" />
    </div>
  )
}
