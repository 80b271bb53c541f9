import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { AlertMeButton } from '#app/features/subject/alert-me-button.tsx'
import { ActionError } from '#app/ui/action-error.tsx'
import { AskFirst } from '#app/ui/ask-first.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { NotRefreshed } from '#app/ui/not-refreshed.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { NameList } from '#contract/bff/list.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { ListEntries } from './list-entries.tsx'
import { ListFields } from './list-fields.tsx'
import { ListMatches } from './list-matches.tsx'
import { listMutations, listOptions, listsOptions, searchOfList } from './list-options.ts'
import { KIND_LABELS, matchedWords } from './list-words.ts'
import type { MatchSearch } from './match-address.ts'

type ListViewProps = { id: string; search: MatchSearch; onSearch(search: MatchSearch): void }

/** One list: how many of its entries were listed, by which threats, and the entries. */
export function ListView({ id, search, onSearch }: ListViewProps) {
  const query = useQuery(listOptions(id))
  const { data: list, error, refetch } = query
  const { data: all } = useQuery(listsOptions())
  const { data: session } = useQuery(sessionOptions())
  const navigate = useNavigate()
  const remove = useMutation({
    ...listMutations(useQueryClient()).remove,
    onSuccess: () => navigate({ to: '/lists' }),
  })
  const [isEditing, setIsEditing] = useState(false)
  const role = session?.user.role
  const canDecide = role === 'analyst' || role === 'admin'
  const canChange = list !== undefined && canDecide && (list.owner.isMe || role === 'admin')
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
            <AskFirst
              label="Delete list…"
              warning="Its entries, matches and decisions are deleted too. This cannot be undone."
              confirm="Delete list"
              size="medium"
              isBusy={remove.isPending}
              onConfirm={() => remove.mutate(id)}
            />
          )}
        </div>
      </div>
      <ActionError error={remove.error} not="deleted" />
      <NotRefreshed query={query} />
      {list && (
        <Dialog isOpen={isEditing} onClose={() => setIsEditing(false)} title="Edit list">
          <ListForm list={list} onDone={() => setIsEditing(false)} />
        </Dialog>
      )}
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

/** Changes name, kind and sharing of a list. */
function ListForm({ list, onDone }: { list: NameList; onDone(): void }) {
  const queryClient = useQueryClient()
  const change = useMutation(listMutations(queryClient).change)
  /** The list as the user last saw it. A change by somebody else in the meantime is a conflict. */
  const [seen, setSeen] = useState(list)
  const [hasConflict, setHasConflict] = useState(false)
  const [facts, setFacts] = useState({ name: list.name, kind: list.kind, isShared: list.isShared })
  const [nameError, setNameError] = useState<string | false>(false)

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (change.isPending) return
    const name = facts.name.trim()
    setNameError(name === '' && 'Enter a name for the list.')
    if (name === '') return
    const before = { name: seen.name, kind: seen.kind, isShared: seen.isShared }
    change.mutate(
      { id: list.id, ...facts, name, before },
      {
        onSuccess: onDone,
        onError() {
          const now = queryClient.getQueryData(listOptions(list.id).queryKey) ?? seen
          setHasConflict(now.name !== seen.name || now.kind !== seen.kind || now.isShared !== seen.isShared)
          setSeen(now)
        },
      },
    )
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <ListFields facts={facts} onChange={setFacts} nameError={nameError} canShare={list.owner.isMe} />
      <ActionError error={change.error} not="saved" />
      {hasConflict && (
        <p className="wrap-anywhere text-sm">
          Now it is “<Untrusted text={seen.name} maxLength={80} clip="silent" isRaw />
          ”, {KIND_LABELS[seen.kind]}, {seen.isShared ? 'shared with the team' : 'private'}. Save again to
          replace this.
        </p>
      )}
      <Button type="submit" variant="primary" isBusy={change.isPending} className="max-sm:h-11">
        Save
      </Button>
    </form>
  )
}
