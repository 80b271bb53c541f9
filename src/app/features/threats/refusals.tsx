import { Icon } from '#app/ui/icon.tsx'
import type { ThreatFilterName } from '#contract/bff/threat-list.ts'
import { FILTER_LABELS } from './filter-labels.ts'

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
