import { count } from '#app/format/count.ts'
import { countryName } from '#app/format/country-name.ts'
import { Button } from '#app/ui/button.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Backtest } from '#contract/bff/alert.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { chipsOf } from '#matcher/query/edit-query.ts'

type Narrower = Backtest['narrower'][number]

/** Searches that match fewer; a press takes one over. */
export function BacktestNarrower({
  backtest: { matches, narrower },
  onNarrow,
}: {
  backtest: Backtest
  onNarrow(filter: ThreatFilter): void
}) {
  return (
    <ul className="flex flex-wrap gap-1.5 px-4 pt-1 pb-3">
      {narrower.map((one) => (
        <li key={`${one.field} ${one.values.join(' ')}`} className="min-w-0 max-w-full">
          <Button size="small" className="max-w-full gap-0! max-sm:h-11" onClick={() => onNarrow(one.filter)}>
            <span className="truncate">
              <Untrusted text={labelOf(one)} maxLength={60} clip="silent" />
            </span>
            <span>
              : {count(matches)} → {count(one.matches)}
            </span>
          </Button>
        </li>
      ))}
    </ul>
  )
}

function labelOf({ field, values }: Narrower): string {
  const [first = ''] = values
  if (field === 'severity') return values.length > 1 ? 'High or critical' : 'Critical only'
  return `Only ${field === 'country' ? countryName(first) : first}`
}

/** Lists what each condition of a search matches alone. */
export function BacktestConditions({
  backtest: { conditions },
  filter,
}: {
  backtest: Backtest
  filter: ThreatFilter
}) {
  const parts = chipsOf(filter.q ?? '')
  return (
    <ul className="grid gap-1 px-4 pt-1 pb-3 text-sm">
      {conditions.map(({ name, part, count: matches }) => (
        <li key={`${name} ${part}`} className="flex items-baseline justify-between gap-3">
          <span className="min-w-0 truncate font-mono text-xs">
            <Untrusted
              text={
                part === undefined ? `${name}:${[filter[name]].flat().join(',')}` : (parts[part]?.text ?? '')
              }
              maxLength={120}
              clip="silent"
              isRaw
            />
          </span>
          <span className="shrink-0 text-muted text-xs tabular-nums">{count(matches)} alone</span>
        </li>
      ))}
    </ul>
  )
}
