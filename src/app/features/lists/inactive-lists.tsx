import { useMutation, useQueryClient } from '@tanstack/react-query'
import { count } from '#app/format/count.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { AskFirst } from '#app/ui/ask-first.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { WideTable } from '#app/ui/wide-table.tsx'
import type { InactiveList } from '#contract/bff/list.ts'
import { listMutations } from './list-options.ts'

type InactiveListsProps = { lists: readonly InactiveList[] }

/** Private lists that nobody but an admin can delete. */
export function InactiveLists({ lists }: InactiveListsProps) {
  const remove = useMutation(listMutations(useQueryClient()).remove)
  const columns: Column<InactiveList>[] = [
    {
      key: 'owner',
      head: 'Owner',
      isName: true,
      cell: ({ ownerName }) => <Untrusted text={ownerName} maxLength={60} clip="silent" isRaw />,
    },
    { key: 'entries', head: 'Entries', align: 'right', cell: ({ entryCount }) => count(entryCount) },
    {
      key: 'changed',
      head: 'Last change',
      className: 'whitespace-nowrap max-sm:hidden',
      cell: ({ updatedAt }) => <Time at={updatedAt} />,
    },
    {
      key: 'delete',
      head: <VisuallyHidden>Actions</VisuallyHidden>,
      align: 'right',
      cell: ({ id, ownerName }) => (
        <AskFirst
          label="Delete…"
          accessibleLabel={`Delete a private list of ${ownerName}`}
          warning="Its entries, matches and decisions are deleted too. This cannot be undone."
          confirm="Delete list"
          isBusy={remove.isPending && remove.variables === id}
          onConfirm={() => remove.mutate(id)}
        />
      ),
    },
  ]
  return (
    <SectionCard title="Private lists of inactive users">
      <p className="px-4 py-3 text-muted text-sm">
        Their owners are disabled or viewers. Only the owner sees what a private list contains. Its entries
        count towards the limit of all lists.
      </p>
      <ActionError error={remove.error} not="deleted" className="px-4 pb-3" />
      <WideTable
        label="Private lists of inactive users"
        columns={columns}
        rows={lists}
        rowKey={({ id }) => id}
      />
    </SectionCard>
  )
}
