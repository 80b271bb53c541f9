import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { count } from '#app/format/count.ts'
import { Badge } from '#app/ui/badge.tsx'
import { buttonLook } from '#app/ui/button.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { NotRefreshed } from '#app/ui/not-refreshed.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { WideTable } from '#app/ui/wide-table.tsx'
import type { NameList } from '#contract/bff/list.ts'
import { InactiveLists } from './inactive-lists.tsx'
import { listsOptions } from './list-options.ts'
import { KIND_LABELS } from './list-words.ts'

const WIDE = 'whitespace-nowrap max-sm:hidden'

/** Lists of names that are matched against every stored threat, and how many of their entries were listed. */
export function ListsView() {
  const query = useQuery(listsOptions())
  const { data: session } = useQuery(sessionOptions())
  const canMake = session !== undefined && session.user.role !== 'viewer'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <DocumentTitle title="Lists" />
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="font-semibold text-xl tracking-tight">Lists</h1>
        {canMake && (
          <Link to="/lists/new" className={`${buttonLook({ variant: 'primary' })} ml-auto max-sm:h-11`}>
            New list
          </Link>
        )}
      </div>
      <NotRefreshed query={query} />
      <SectionCard title="Names that concern us">
        <LoadedPart query={query} name="the lists" heights={['h-32']}>
          {({ lists }) =>
            lists.length === 0 ? (
              <EmptyState icon="search" title="No list yet">
                {canMake ? (
                  <>
                    <p>
                      Paste the names of your suppliers, customers or brands: Lantern matches them against
                      every stored threat, without API calls.
                    </p>
                    <p className="mt-3">
                      <Link to="/lists/new" className="touch font-medium text-accent hover:underline">
                        Create the first list
                      </Link>
                    </p>
                  </>
                ) : (
                  'Analysts make lists of suppliers, customers or brands, which Lantern matches against every stored threat.'
                )}
              </EmptyState>
            ) : (
              <WideTable label="Lists" columns={COLUMNS} rows={lists} rowKey={({ id }) => id} />
            )
          }
        </LoadedPart>
      </SectionCard>
      {(query.data?.inactive?.length ?? 0) > 0 && <InactiveLists lists={query.data?.inactive ?? []} />}
    </div>
  )
}

const COLUMNS: readonly Column<NameList>[] = [
  {
    key: 'name',
    head: 'Name',
    isName: true,
    cellClassName: 'max-w-80 sm:min-w-48',
    cell: ({ id, name, isShared }) => (
      <>
        <Link to="/lists/$id" params={{ id }} className="font-medium text-accent hover:underline">
          <Untrusted text={name} maxLength={80} clip="silent" isRaw />
        </Link>{' '}
        {!isShared && <Badge>private</Badge>}
      </>
    ),
  },
  { key: 'kind', head: 'Kind', className: WIDE, cell: ({ kind }) => KIND_LABELS[kind] },
  { key: 'entries', head: 'Entries', align: 'right', cell: ({ entryCount }) => count(entryCount) },
  {
    key: 'certain',
    head: 'Listed, certain',
    hint: 'Entries that a threat of the last 12 months is about',
    align: 'right',
    cell: ({ matched, isMatching }) => (isMatching ? 'matching…' : count(matched.certain)),
  },
  {
    key: 'toConfirm',
    head: 'To confirm',
    hint: 'Entries that a threat of the last 12 months may be about',
    align: 'right',
    cell: ({ matched, isMatching }) => (isMatching ? '' : count(matched.toConfirm)),
  },
  {
    key: 'owner',
    head: 'Owner',
    className: WIDE,
    cell: ({ owner }) =>
      owner.isMe ? 'you' : <Untrusted text={owner.name} maxLength={60} clip="silent" isRaw />,
  },
]
