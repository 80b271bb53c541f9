import { count } from '#app/format/count.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Time } from '#app/ui/time.tsx'
import { WideSection } from '#app/ui/wide-section.tsx'
import type { LedgerCall } from '#contract/bff/call-ledger.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { OUTCOMES, REASONS } from './call-words.ts'

const SETS: Readonly<Record<RouteSet, string>> = { v1: 'v1', earlier: 'earlier' }

const COLUMNS = ['When', 'Route', 'Set', 'Why', 'Who waited', 'Outcome', 'Status', 'Took'] as const

/** The newest calls, one a line. */
export function CallsTable({ calls }: { calls: readonly LedgerCall[] }) {
  return (
    <WideSection label="Newest calls">
      <table className="w-full text-sm [&_td]:h-9 [&_td]:whitespace-nowrap [&_td]:px-4 [&_th]:h-8 [&_th]:whitespace-nowrap [&_th]:px-4">
        <thead className="border-line border-b text-left text-faint text-xs">
          <tr>
            {COLUMNS.map((name) => (
              <th key={name} scope="col" className="font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
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
    <tr className="hover:bg-hover">
      <td>
        <Time at={at} />
      </td>
      <td className="font-mono text-xs">{route}</td>
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
