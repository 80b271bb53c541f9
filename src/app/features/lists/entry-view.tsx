import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { LoadHistory } from '#app/features/periods/load-history.tsx'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { StoredSummary } from '#app/features/source/stored-summary.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { NotRefreshed } from '#app/ui/not-refreshed.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { ListEntry } from '#contract/bff/list.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { ListMatches } from './list-matches.tsx'
import { entryOptions, listOptions } from './list-options.ts'
import { entryStateWords } from './list-words.ts'
import type { MatchSearch } from './match-address.ts'

/** Without bounds, the newest month that is not stored is offered. */
const ALL_TIME = {}

type EntryViewProps = {
  listId: string
  entryId: string
  search: MatchSearch
  onSearch(search: MatchSearch): void
}

/** One entry of a list: its threats over all stored time, and which time that is. */
export function EntryView({ listId, entryId, search, onSearch }: EntryViewProps) {
  const { data: list, error: listError, refetch: refetchList } = useQuery(listOptions(listId))
  const query = useQuery(entryOptions(listId, entryId))
  const { data: entry, error: entryError, refetch: refetchEntry } = query
  const { data: session } = useQuery(sessionOptions())
  const [isEditing, setIsEditing] = useState(false)
  const role = session?.user.role
  const canDecide = role === 'analyst' || role === 'admin'
  const canChange = canDecide && (list?.owner.isMe === true || role === 'admin')
  const error = listError ?? entryError
  const retry = () => {
    refetchList()
    refetchEntry()
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <DocumentTitle title={entry ? visibleLine(entry.name) : 'Entry'} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="min-w-0 font-semibold text-xl tracking-tight">
          {entry ? <Untrusted text={entry.name} maxLength={200} clip="silent" isRaw /> : 'Entry'}
        </h1>
        {entry?.weight === 'critical' && <Badge tone="warning">critical</Badge>}
        <Link
          to="/lists/$id"
          params={{ id: listId }}
          className="touch wrap-anywhere rounded-sm text-accent text-sm hover:underline"
        >
          {list ? <Untrusted text={list.name} maxLength={80} clip="silent" isRaw /> : 'The list'}
        </Link>
        {entry && canChange && (
          <Button className="ml-auto max-sm:h-11" onClick={() => setIsEditing(true)}>
            Edit entry
          </Button>
        )}
      </div>
      <EntryDialog
        listId={listId}
        entry={isEditing && entry ? entry : null}
        onClose={() => setIsEditing(false)}
      />
      <NotRefreshed query={query} />
      {list && entry && (
        <>
          <EntryFacts entry={entry} />
          <SectionCard title="What this rests on">
            <div className="grid gap-2 px-4 pb-3 text-sm">
              <StoredSummary />
              <p className="text-muted">Threats that are not stored may name the entry, too.</p>
              <LoadHistory time={ALL_TIME} />
            </div>
          </SectionCard>
          <ListMatches
            list={list}
            entryId={entryId}
            canChange={canDecide}
            search={search}
            onSearch={onSearch}
          />
        </>
      )}
      {list && entry === null && (
        <EmptyState icon="search" title="This entry is gone">
          Somebody removed it from the list.
        </EmptyState>
      )}
      {error && !(list && entry) && <ErrorPanel error={error} onRetry={retry} />}
      {!error && !(list && entry !== undefined) && <Skeleton className="h-60 w-full rounded-lg" />}
    </div>
  )
}

function EntryFacts({ entry }: { entry: ListEntry }) {
  const { domains, note, key, everydayName } = entry
  return (
    <div className="grid gap-1 text-sm">
      <p role="status" className="text-base">
        {entryStateWords(entry)}
      </p>
      <p className="wrap-anywhere text-muted">
        {domains.length > 0 ? (
          <Untrusted text={domains.join(', ')} clip="silent" isRaw />
        ) : (
          'No domain. Add one to make matches certain.'
        )}
      </p>
      {key && (
        <p className="text-muted">
          Reference: <Untrusted text={key} maxLength={120} clip="silent" isRaw />
        </p>
      )}
      {note && (
        <p className="text-muted">
          Note: <Untrusted text={note} maxLength={1_000} clip="silent" isRaw />
        </p>
      )}
      {everydayName && <p className="text-faint">{everydayName}</p>}
    </div>
  )
}
