import { count } from '#app/format/count.ts'
import { AskFirst } from '#app/ui/ask-first.tsx'
import { Badge } from '#app/ui/badge.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { Time } from '#app/ui/time.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { WideTable } from '#app/ui/wide-table.tsx'
import type { ServiceKey } from '#contract/bff/service-key.ts'
import { visibleLine } from '#contract/visible-text.ts'

const STATUSES = { active: 'Active', ending: 'Ending', ended: 'Revoked', expired: 'Expired' } as const

/** On phones the rest would push the actions out of sight. */
const WIDE = 'max-sm:hidden'

const COLUMNS: readonly Column<ServiceKey>[] = [
  {
    key: 'name',
    head: 'Name',
    isName: true,
    cellClassName: 'wrap-anywhere max-w-80 font-medium',
    cell: ({ name }) => name,
  },
  {
    key: 'team',
    head: 'Team',
    className: WIDE,
    cellClassName: 'wrap-anywhere max-w-60',
    cell: ({ account }) => account,
  },
  { key: 'v1', head: 'v1 plan', className: WIDE, cell: ({ v1Plan }) => v1Plan },
  { key: 'earlier', head: 'Earlier plan', className: WIDE, cell: ({ earlierPlan }) => earlierPlan },
  {
    key: 'status',
    head: 'Status',
    cell: ({ status, endsAt }) => (
      <>
        <Badge tone={status === 'active' ? 'accent' : 'neutral'}>{STATUSES[status]}</Badge>
        {endsAt && (
          <span className="ml-2 text-faint text-xs">
            <Time at={endsAt} show="day" />
          </span>
        )}
      </>
    ),
  },
  {
    key: 'requests',
    head: 'Requests today',
    className: WIDE,
    cellClassName: 'tabular-nums',
    cell: ({ requestsToday }) => count(requestsToday),
  },
]

type ServiceKeyTableProps = {
  keys: readonly ServiceKey[]
  isBusy: boolean
  onRevoke(id: string): void
}

export function ServiceKeyTable({ keys, ...revoking }: ServiceKeyTableProps) {
  const columns: Column<ServiceKey>[] = [
    ...COLUMNS,
    {
      key: 'actions',
      head: <VisuallyHidden>Actions</VisuallyHidden>,
      align: 'right',
      cell: (key) => <RevokeAction serviceKey={key} {...revoking} />,
    },
  ]
  return <WideTable label="Keys of the service" columns={columns} rows={keys} rowKey={({ id }) => id} />
}

type RevokeActionProps = { serviceKey: ServiceKey; isBusy: boolean; onRevoke(id: string): void }

function RevokeAction({ serviceKey: { id, name, isOwn, status }, isBusy, onRevoke }: RevokeActionProps) {
  if (isOwn) return <span className="text-faint text-xs">Used by this dashboard</span>
  if (status === 'ended' || status === 'expired') return null
  return (
    <AskFirst
      label="Revoke"
      accessibleLabel={`Revoke ${name}`}
      warning={`Programs that use the key “${visibleLine(name)}” are refused at once.`}
      confirm="Revoke key"
      isBusy={isBusy}
      onConfirm={() => onRevoke(id)}
    />
  )
}
