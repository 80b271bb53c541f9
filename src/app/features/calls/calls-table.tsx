import { count } from '#app/format/count.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Time } from '#app/ui/time.tsx'
import { WideSection } from '#app/ui/wide-section.tsx'
import type { LedgerCall } from '#contract/bff/call-ledger.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { OUTCOMES, REASONS } from './call-words.ts'

const SETS: Readonly<Record<RouteSet, string>> = { v1: 'v1', earlier: 'earlier' }

const COLUMNS = ['When', 'Route', 'Set', 'Why', 'Who waited', 'Outcome', 'Status', 'Took'] as const

const GRID =
  'grid min-w-304 grid-cols-[13rem_minmax(0,1fr)_5rem_13rem_minmax(0,1fr)_12rem_4.5rem_6rem] items-center'

/** The newest calls, one a line. */
export function CallsTable({ calls }: { calls: readonly LedgerCall[] }) {
  return (
    <WideSection label="Newest calls">
      <table className="block text-sm [&_td]:truncate [&_td]:px-4 [&_th]:px-4">
        <thead className="block border-line border-b text-left text-faint text-xs">
          <tr className={`${GRID} h-8`}>
            {COLUMNS.map((name) => (
              <th key={name} scope="col" className="font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block divide-y divide-line">
          {calls.map((call) => (
            <CallRow key={Object.values(call).join(' ')} call={call} />
          ))}
        </tbody>
      </table>
    </WideSection>
  )
}

function CallRow({
  call: { at, route, set, priority, who, outcome, status, durationMs },
}: {
  call: LedgerCall
}) {
  const { label, tone } = OUTCOMES[outcome]
  return (
    <tr
      className={`${GRID} h-9 hover:bg-hover [contain-intrinsic-size:auto_2.25rem] [content-visibility:auto]`}
    >
      <td>
        <Time at={at} />
      </td>
      <td className="font-mono text-xs" title={route}>
        {route}
      </td>
      <td className="text-muted">{SETS[set]}</td>
      <td>{REASONS[priority]}</td>
      <td className="text-muted">{who ?? '—'}</td>
      <td>
        <Badge tone={tone}>{label}</Badge>
      </td>
      <td className="tabular-nums">{status ?? '—'}</td>
      <td className="text-muted tabular-nums">{durationMs === null ? '—' : `${count(durationMs)} ms`}</td>
    </tr>
  )
}
