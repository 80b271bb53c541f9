import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { AlertMeButton } from '#app/features/subject/alert-me-button.tsx'
import { ActionError } from '#app/ui/action-error.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { visibleLine } from '#contract/visible-text.ts'
import { ListDialog } from './list-dialog.tsx'
import { ListEntries } from './list-entries.tsx'
import { ListMatches, type MatchSearch } from './list-matches.tsx'
import { listMutations, listOptions, listsOptions, searchOfList } from './list-options.ts'
import { KIND_LABELS, matchedWords } from './list-words.ts'
import { NotRefreshed } from './not-refreshed.tsx'

type ListViewProps = { id: string; search: MatchSearch; onSearch(search: MatchSearch): void }

/** One list: how many of its entries were listed, by which threats, and the entries. */
export function ListView({ id, search, onSearch }: ListViewProps) {
  const query = useQuery(listOptions(id))
  const { data: list, error, refetch } = query
  const { data: all } = useQuery(listsOptions())
  const { data: session } = useQuery(sessionOptions())
  const remove = useMutation(listMutations(useQueryClient()).remove)
  const navigate = useNavigate()
  const [isEditing, setIsEditing] = useState(false)
  const role = session?.user.role
  const canDecide = role === 'analyst' || role === 'admin'
  const canChange = canDecide && (list?.owner.isMe === true || role === 'admin')
  const removeList = async () => {
    if (!window.confirm('Delete this list with its entries and decisions?')) return
    await remove.mutateAsync(id)
    navigate({ to: '/lists' })
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <DocumentTitle title={list ? visibleLine(list.name) : 'List'} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="min-w-0 font-semibold text-xl tracking-tight">
          {list ? <Untrusted text={list.name} maxLength={80} clip="silent" isRaw /> : 'List'}
        </h1>
        {list && <Badge>{KIND_LABELS[list.kind]}</Badge>}
        {list && !list.isShared && <Badge>private</Badge>}
        <Link to="/lists" className="touch rounded-sm text-accent text-sm hover:underline">
          All lists
        </Link>
        <div className="ml-auto flex flex-wrap gap-2">
          {list && <AlertMeButton name={list.name} filter={{ q: searchOfList(list, all?.lists) }} />}
          {canChange && (
            <Button className="max-sm:h-11" onClick={() => setIsEditing(true)}>
              Edit list
            </Button>
          )}
          {canChange && (
            <Button
              variant="danger"
              className="max-sm:h-11"
              isBusy={remove.isPending}
              onClick={() => removeList().catch(() => {})}
            >
              Delete list
            </Button>
          )}
        </div>
      </div>
      <ActionError error={remove.error} not="deleted" />
      <NotRefreshed query={query} />
      {list && <ListDialog list={list} isOpen={isEditing} onClose={() => setIsEditing(false)} />}
      {list ? (
        <>
          <p role="status" className="font-semibold text-2xl tracking-tight">
            {list.isMatching ? 'Comparing the entries with all stored threats…' : matchedWords(list)}
          </p>
          <ListMatches list={list} canChange={canDecide} search={search} onSearch={onSearch} />
          <ListEntries id={id} canChange={canChange} />
        </>
      ) : error ? (
        <ErrorPanel error={error} onRetry={() => refetch()} />
      ) : (
        <Skeleton className="h-60 w-full rounded-lg" />
      )}
    </div>
  )
}
