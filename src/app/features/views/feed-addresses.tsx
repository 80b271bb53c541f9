import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { countOf } from '#app/format/count.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { AskFirst } from '#app/ui/ask-first.tsx'
import { Badge } from '#app/ui/badge.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { WideTable } from '#app/ui/wide-table.tsx'
import type { FeedAddress } from '#contract/bff/view.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { viewMutations } from './view-mutations.ts'
import { feedAddressesOptions } from './view-options.ts'

/** For admins: which views whoever knows an address may read without a session. */
export function FeedAddresses() {
  const query = useQuery(feedAddressesOptions())
  const { data } = query
  const close = useMutation(viewMutations(useQueryClient()).closeFeed)
  const columns: Column<FeedAddress>[] = [
    ...COLUMNS,
    {
      key: 'actions',
      head: <VisuallyHidden>Actions</VisuallyHidden>,
      align: 'right',
      cell: ({ viewId, viewName }) => (
        <AskFirst
          label="Revoke"
          accessibleLabel={`Revoke the address of ${visibleLine(viewName)}`}
          warning={`Feed readers get nothing more of “${visibleLine(viewName)}”.`}
          confirm="Revoke address"
          isBusy={close.isPending}
          onConfirm={() => close.mutate(viewId)}
        />
      ),
    },
  ]
  return (
    <SectionCard
      title={data ? countOf(data.addresses.length, 'feed address', 'feed addresses') : 'Feed addresses'}
    >
      <p className="border-line border-b px-4 py-2.5 text-muted text-xs">
        Whoever knows the Atom address of a view reads its threats without signing in, and which shared lists
        they concern. An address ends when its owner becomes a viewer or is disabled.
      </p>
      <ActionError error={close.error} className="border-line border-b px-4 py-2" />
      <LoadedPart query={query} name="the feed addresses" heights={['h-16']}>
        {({ addresses }) =>
          addresses.length > 0 && (
            <WideTable
              label="Feed addresses"
              caption="Views that can be read by their address"
              columns={columns}
              rows={addresses}
              rowKey={({ viewId }) => viewId}
            />
          )
        }
      </LoadedPart>
    </SectionCard>
  )
}

const COLUMNS: readonly Column<FeedAddress>[] = [
  {
    key: 'view',
    head: 'View',
    isName: true,
    cellClassName: 'wrap-anywhere max-w-80 font-medium',
    cell: ({ viewName, isShared }) => (
      <>
        <Untrusted text={viewName} maxLength={80} clip="silent" isRaw />{' '}
        {!isShared && <Badge>Not shared</Badge>}
      </>
    ),
  },
  { key: 'owner', head: 'Owner', cellClassName: 'wrap-anywhere max-w-80', cell: ({ owner }) => owner.email },
  {
    key: 'opened',
    head: 'Created',
    className: 'whitespace-nowrap max-sm:hidden',
    cellClassName: 'text-muted',
    cell: ({ openedAt }) => (openedAt ? <Time at={openedAt} show="day" /> : 'By an earlier version'),
  },
]
