import { count } from '#app/format/count.ts'
import { Badge } from '#app/ui/badge.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { Time } from '#app/ui/time.tsx'
import { WideSection } from '#app/ui/wide-section.tsx'
import type { LedgerCall } from '#contract/bff/call-ledger.ts'
import { OUTCOMES, REASONS } from './call-words.ts'

const COLUMNS: readonly Column<LedgerCall>[] = [
  { key: 'at', head: 'When', cell: ({ at }) => <Time at={at} /> },
  {
    key: 'route',
    head: 'Route',
    cellClassName: 'font-mono text-xs',
    cell: ({ route }) => <span title={route}>{route}</span>,
  },
  { key: 'set', head: 'API', cellClassName: 'text-muted', cell: ({ set }) => set },
  { key: 'why', head: 'Why', cell: ({ priority }) => REASONS[priority] },
  { key: 'who', head: 'Who waited', cellClassName: 'text-muted', cell: ({ who }) => who ?? '—' },
  {
    key: 'outcome',
    head: 'Outcome',
    cell: ({ outcome }) => <Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].label}</Badge>,
  },
  { key: 'status', head: 'Status', cellClassName: 'tabular-nums', cell: ({ status }) => status ?? '—' },
  {
    key: 'took',
    head: 'Took',
    cellClassName: 'text-muted tabular-nums',
    cell: ({ durationMs }) => (durationMs === null ? '—' : `${count(durationMs)} ms`),
  },
]

/** The newest calls, one a line. */
export function CallsTable({ calls }: { calls: readonly LedgerCall[] }) {
  return (
    <WideSection label="Newest calls">
      <DataTable
        caption="Calls, newest first"
        columns={COLUMNS}
        rows={calls}
        rowKey={(call) => Object.values(call).join(' ')}
        grid="grid min-w-304 grid-cols-[13rem_minmax(0,1fr)_5rem_13rem_minmax(0,1fr)_12rem_4.5rem_6rem] items-center"
        className="text-sm [&>thead>tr]:h-8 [&_td]:truncate [&_td]:px-4 [&_th]:px-4"
        rowLook={() => 'h-9 hover:bg-hover [contain-intrinsic-size:auto_2.25rem] [content-visibility:auto]'}
      />
    </WideSection>
  )
}
