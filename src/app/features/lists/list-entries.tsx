import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { getJson } from '#app/api/get-json.ts'
import { count, countOf } from '#app/format/count.ts'
import { toCsv } from '#app/format/csv.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { AskFirst } from '#app/ui/ask-first.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button, IconButton } from '#app/ui/button.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { TextField } from '#app/ui/field.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { NotRefreshed } from '#app/ui/not-refreshed.tsx'
import { saveFile } from '#app/ui/save-file.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useDebouncedValue } from '#app/ui/use-debounced-value.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { WideTable } from '#app/ui/wide-table.tsx'
import { ENTRIES_PAGE_COUNT, entryPageSchema, FIRST_AFTER, type ListEntry } from '#contract/bff/list.ts'
import type { EntriesAdded } from '#contract/bff/list-draft.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { EntriesField } from './entries-field.tsx'
import { EntryDialog } from './entry-dialog.tsx'
import { entriesOptions, listMutations } from './list-options.ts'
import { addedWords } from './list-words.ts'
import { type EntriesInput, useEntries } from './use-entries.ts'

const SEARCH_DELAY_MS = 250
const WIDE = 'max-sm:hidden'

/** The entries of a list: those with threats first. */
export function ListEntries({ id, canChange }: { id: string; canChange: boolean }) {
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(1)
  const [isAdding, setIsAdding] = useState(false)
  /** Stays while the dialog is closed: a press beside it loses nothing. */
  const input = useEntries()
  const [added, setAdded] = useState<EntriesAdded | null>(null)
  const [edited, setEdited] = useState<ListEntry | null>(null)
  const q = useDebouncedValue(typed, SEARCH_DELAY_MS)
  const offset = (page - 1) * ENTRIES_PAGE_COUNT
  const query = useQuery(entriesOptions(id, { q: q.trim() || undefined, offset }))
  const { data } = query
  const remove = useMutation(listMutations(useQueryClient()).removeEntry)
  const columns = [
    nameColumn(id),
    ...COLUMNS,
    ...(canChange ? [actionsColumn(setEdited, (entryId) => remove.mutate({ id, entryId }))] : []),
  ]
  return (
    <SectionCard
      title="Entries"
      note={data && <span className="text-faint text-xs">{countOf(data.total, 'entry', 'entries')}</span>}
      tools={
        <>
          {data && data.total > 0 && <ExportEntries id={id} />}
          {canChange && (
            <Button
              size="small"
              icon="plus"
              onClick={() => {
                setAdded(null)
                setIsAdding(true)
              }}
            >
              Add entries
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-2 p-4">
        <TextField
          label="Find an entry"
          icon="search"
          type="search"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setPage(1)
          }}
        />
        <ActionError error={remove.error} not="removed" />
        <NotRefreshed query={query} />
        <p role="status" className="text-sm empty:hidden">
          {added && addedWords(added)}
        </p>
      </div>
      <LoadedPart query={query} name="the entries" heights={['h-40']}>
        {({ entries }) =>
          entries.length > 0 ? (
            <WideTable
              label="Table of entries"
              caption="Entries"
              columns={columns}
              rows={entries}
              rowKey={(entry) => entry.id}
            />
          ) : (
            <p className="px-4 pb-4 text-muted text-sm">
              {q.trim() ? 'No entry has these words.' : 'The list has no entries.'}
            </p>
          )
        }
      </LoadedPart>
      {data && data.total > ENTRIES_PAGE_COUNT && (
        <div className="flex items-center justify-end gap-2 border-line border-t px-4 py-2">
          <Button size="small" disabled={page === 1} onClick={() => setPage(page - 1)}>
            Previous
          </Button>
          <Button
            size="small"
            disabled={offset + ENTRIES_PAGE_COUNT >= data.total}
            onClick={() => setPage(page + 1)}
          >
            Next
          </Button>
        </div>
      )}
      <Dialog isOpen={isAdding} onClose={() => setIsAdding(false)} title="Add entries">
        <AddEntries
          id={id}
          input={input}
          onAdded={(counts) => {
            setAdded(counts)
            setIsAdding(false)
            input.clear()
          }}
        />
      </Dialog>
      <EntryDialog listId={id} entry={edited} onClose={() => setEdited(null)} />
    </SectionCard>
  )
}

type AddEntriesProps = { id: string; input: EntriesInput; onAdded(added: EntriesAdded): void }

function AddEntries({ id, input, onAdded }: AddEntriesProps) {
  const add = useMutation(listMutations(useQueryClient()).addEntries)
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (input.fault !== null || add.isPending) return
        add.mutate({ id, entries: input.read.entries }, { onSuccess: onAdded, onError: input.showRefused })
      }}
    >
      <EntriesField input={input} />
      {input.fault !== null && (input.file || input.text.trim() !== '') && (
        <p className="text-critical text-sm">{input.fault}</p>
      )}
      <ActionError error={add.error} not="added" />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          isBusy={add.isPending}
          disabled={input.fault !== null}
          className="max-sm:h-11"
        >
          Add {countOf(input.read.entries.length, 'entry', 'entries')}
        </Button>
        {(input.file || input.text !== '') && (
          <Button className="max-sm:h-11" onClick={input.clear}>
            Clear
          </Button>
        )}
      </div>
    </form>
  )
}

function nameColumn(listId: string): Column<ListEntry> {
  return {
    key: 'name',
    head: 'Name',
    isName: true,
    cellClassName: 'max-w-96',
    cell: ({ id, name, note, everydayName, weight }) => (
      <>
        <span className="block font-medium">
          <Link
            to="/lists/$id/entries/$entryId"
            params={{ id: listId, entryId: id }}
            className="text-accent hover:underline"
          >
            <Untrusted text={name} maxLength={120} clip="silent" isRaw />
          </Link>{' '}
          {weight === 'critical' && <Badge tone="warning">critical</Badge>}
        </span>
        {note && (
          <span className="block font-normal text-muted text-xs">
            <Untrusted text={note} maxLength={160} clip="silent" />
          </span>
        )}
        {everydayName && <span className="block font-normal text-faint text-xs">{everydayName}</span>}
      </>
    ),
  }
}

const COLUMNS: readonly Column<ListEntry>[] = [
  {
    key: 'domains',
    head: 'Domains',
    className: WIDE,
    cellClassName: 'max-w-64 text-muted',
    cell: ({ domains }) =>
      domains.length > 0 ? <Untrusted text={domains.join(', ')} maxLength={300} clip="silent" isRaw /> : '—',
  },
  {
    key: 'key',
    head: 'Reference',
    className: WIDE,
    cellClassName: 'max-w-40',
    cell: ({ key }) => (key === null ? '—' : <Untrusted text={key} maxLength={120} clip="silent" isRaw />),
  },
  {
    key: 'threats',
    head: 'Threats',
    hint: 'Of all stored time: certain, and to confirm',
    cell: ({ matched: { certain, toConfirm }, isMatching }) => {
      if (isMatching) return 'matching…'
      if (certain + toConfirm === 0) return <span className="text-faint">none stored</span>
      return [certain > 0 && `${count(certain)} certain`, toConfirm > 0 && `${count(toConfirm)} to confirm`]
        .filter(Boolean)
        .join(', ')
    },
  },
  {
    key: 'latest',
    head: 'Latest',
    className: WIDE,
    cell: ({ latestAt }) => (latestAt ? <Time at={latestAt} show="age" /> : '—'),
  },
]

function actionsColumn(
  onEdit: (entry: ListEntry) => void,
  onRemove: (entryId: string) => void,
): Column<ListEntry> {
  return {
    key: 'actions',
    head: <VisuallyHidden>Actions</VisuallyHidden>,
    className: 'w-px whitespace-nowrap',
    cell: (entry) => {
      const name = visibleLine(entry.name)
      return (
        <div className="flex items-center justify-end">
          <Button size="small" variant="quiet" aria-label={`Edit ${name}`} onClick={() => onEdit(entry)}>
            Edit
          </Button>
          <AskFirst
            label={`Remove ${name}`}
            warning={`“${name}” leaves the list, and its matches and decisions are deleted.`}
            confirm="Remove entry"
            onConfirm={() => onRemove(entry.id)}
            renderTrigger={(trigger) => <IconButton icon="x" label={`Remove ${name}`} {...trigger} />}
          />
        </div>
      )
    },
  }
}

const HEADS = ['Name', 'Domains', 'Note', 'Reference', 'Weight']

/** Saves all entries of a list as CSV, with heads by which **Choose a CSV file** reads them again. */
function ExportEntries({ id }: { id: string }) {
  const save = useMutation({
    mutationFn: async () => {
      const rows = (await readAll(id)).map(({ name, domains, note, key, weight }) => [
        name,
        domains.join(', '),
        note,
        key,
        weight,
      ])
      saveFile(new Blob([toCsv([HEADS, ...rows])], { type: 'text/csv' }), 'lantern-list.csv')
    },
  })
  return (
    <>
      <Button size="small" icon="download" isBusy={save.isPending} onClick={() => save.mutate()}>
        Export CSV
      </Button>
      <ActionError error={save.error} not="exported" />
    </>
  )
}

/** Each entry once, also if the list changes while its pages are read; by name. */
async function readAll(id: string): Promise<ListEntry[]> {
  const entries: ListEntry[] = []
  for (let after = FIRST_AFTER; ; ) {
    const page = await getJson(`lists/${id}/entries`, entryPageSchema, { query: { after } })
    entries.push(...page.entries)
    const last = page.entries.at(-1)
    if (!last || page.entries.length === page.total) break
    after = last.id
  }
  return entries.sort((one, other) => one.name.localeCompare(other.name))
}
