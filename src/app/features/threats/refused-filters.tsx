import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { orderOf } from '#contract/bff/arrangement.ts'
import type { Problem } from '#contract/bff/problem.ts'
import type { ThreatFilterName } from '#contract/bff/threat-list.ts'
import { listActiveFilters } from './active-filters.ts'
import { GROUP_LABELS, ORDER_LABELS, SORT_LABELS } from './arrangement-labels.ts'
import type { ChangeSearch } from './change-search.ts'
import { ALL_OPEN } from './closed-groups.ts'
import { FILTER_LABELS } from './filter-labels.ts'
import type { ThreatSearch } from './threat-search.ts'

type RefusedFiltersProps = {
  fields: NonNullable<Problem['fields']>
  search: ThreatSearch
  onChange: ChangeSearch
}

/** What stood in the way of an answer, filters and the order of the list, each with its reason and its way out. */
export function RefusedFilters({ fields, search, onChange }: RefusedFiltersProps) {
  const inUse = [...listActiveFilters(search, useTimeZone()), ...listArrangement(search)]
  // The search field says each fault of a search, at its place.
  if (fields.some(({ from }) => from !== undefined))
    return <p className="text-muted text-sm">Correct the search to see threats.</p>
  const refused = inUse.flatMap((filter) => {
    const field = fields.find(({ name }) => name === filter.name)
    return field ? [{ ...filter, reason: field.reason }] : []
  })
  return (
    <ul className="grid max-w-2xl gap-2">
      {refused.map(({ name, label, value, reason, without }) => (
        <li key={`${name} ${value}`} className="flex flex-wrap items-center justify-between gap-2 text-sm">
          <span className="min-w-0">
            <span className="font-medium">
              {label}: <Untrusted text={value} maxLength={60} />
            </span>{' '}
            <span className="text-muted">{reason}</span>
          </span>
          <Button size="small" icon="x" onClick={() => onChange(without)}>
            Remove {label}
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** How the list was to stand, as what can be dropped. */
function listArrangement(search: ThreatSearch) {
  const { sort = 'published', group } = search
  return [
    {
      name: 'sort',
      label: 'Sort',
      value: `${SORT_LABELS[sort]}, ${ORDER_LABELS[sort][orderOf(search)].toLowerCase()}`,
      without: { sort: undefined, order: undefined },
    },
    ...(group
      ? [
          {
            name: 'group',
            label: 'Groups',
            value: GROUP_LABELS[group],
            without: { group: undefined, groupOrder: undefined, ...ALL_OPEN },
          },
        ]
      : []),
  ]
}

type RefusalsProps = {
  /** Each control is described by `<id>-<its name>`. */
  id: string
  refusals: ReadonlyMap<ThreatFilterName, string>
}

const names = new Intl.ListFormat('en-GB', { type: 'conjunction' })

/** Why controls are out of use: each reason once, however many controls share it. */
export function Refusals({ id, refusals }: RefusalsProps) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-faint text-xs">
      {[...Map.groupBy(refusals, ([, reason]) => reason)].map(([reason, controls]) => (
        <li key={reason} className="flex gap-1.5">
          <Icon name="info" className="mt-0.5 size-3" />
          <p>
            <span className="font-medium">{names.format(controls.map(([name]) => FILTER_LABELS[name]))}</span>
            {': '}
            {reason}
          </p>
          {controls.map(([name]) => (
            <span key={name} id={`${id}-${name}`} hidden>
              {reason}
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}
