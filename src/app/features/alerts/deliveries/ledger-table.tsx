import { Link } from '@tanstack/react-router'
import { count } from '#app/format/count.ts'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { Time } from '#app/ui/time.tsx'
import type { Delivery } from '#contract/delivery.ts'
import type { LedgerSearch } from '../alert-search.ts'
import {
  DeliveryCauses,
  DeliveryDestination,
  DeliveryStateBadge,
  DeliverySubject,
} from './delivery-parts.tsx'

type LedgerTableProps = { entries: readonly Delivery[]; opened: string | undefined; search: LedgerSearch }

const GRID =
  'grid grid-cols-[6.25rem_minmax(0,1fr)_5rem] items-start @3xl:grid-cols-[6.5rem_minmax(0,3fr)_minmax(0,3fr)_minmax(0,4fr)_5rem_6rem]'
const WIDE = '@max-3xl:hidden'

/** All messages. What a narrow page leaves out, the message's own part shows. */
export function LedgerTable({ entries, opened, search }: LedgerTableProps) {
  return (
    <DataTable
      caption={
        search.state ? 'Messages, newest first' : 'Messages: failed and unclear first, then newest first'
      }
      columns={columnsOf(search)}
      rows={entries}
      rowKey={({ id }) => id}
      grid={GRID}
      className="text-sm [&_td:first-child]:pl-4 [&_td]:min-w-0 [&_td]:px-2 [&_td]:py-2 [&_th:first-child]:pl-4 [&_th]:px-2 [&_th]:py-2"
      rowLook={({ id }) =>
        `relative [contain-intrinsic-size:auto_2.5rem] [content-visibility:auto] ${id === opened ? 'bg-accent/10' : 'hover:bg-hover'}`
      }
    />
  )
}

function columnsOf(search: LedgerSearch): Column<Delivery>[] {
  return [
    { key: 'state', head: 'State', cell: ({ state }) => <DeliveryStateBadge state={state} /> },
    {
      key: 'what',
      head: 'What',
      cell: (entry) => (
        <>
          <Link
            id={entryLinkId(entry.id)}
            to="/alerts/deliveries"
            search={{ ...search, open: entry.id }}
            resetScroll={false}
            className="block scroll-mt-24 truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
          >
            <DeliverySubject delivery={entry} />
          </Link>
          <span className="wrap-anywhere block text-muted text-xs @3xl:hidden">
            <DeliveryDestination {...entry} />
          </span>
        </>
      ),
    },
    {
      key: 'causes',
      head: 'For',
      className: WIDE,
      cellClassName: 'truncate',
      cell: ({ causes }) => <DeliveryCauses causes={causes} />,
    },
    {
      key: 'to',
      head: 'To',
      className: WIDE,
      // Whole: its end tells apart what else reads alike.
      cellClassName: 'wrap-anywhere',
      cell: (entry) => <DeliveryDestination {...entry} />,
    },
    {
      key: 'attempts',
      head: 'Attempts',
      align: 'right',
      className: WIDE,
      cellClassName: 'tabular-nums text-muted',
      cell: ({ attempts }) => count(attempts),
    },
    {
      key: 'at',
      head: 'When',
      align: 'right',
      cellClassName: 'text-muted',
      cell: ({ createdAt }) => <Time at={createdAt} show="age" />,
    },
  ]
}

export function focusEntryLink(id: string): void {
  document.getElementById(entryLinkId(id))?.focus()
}

function entryLinkId(id: string): string {
  return `delivery-${id}`
}
