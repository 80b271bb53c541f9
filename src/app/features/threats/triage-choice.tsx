import { Segments } from '#app/ui/segments.tsx'
import { type TriageFilter, triageFilterSchema } from '#contract/bff/triage-filter.ts'
import { FILTER_LABELS } from './active-filters.ts'
import type { ChangeSearch } from './change-search.ts'
import type { ThreatSearch } from './threat-search.ts'
import { TRIAGE_LABELS } from './triage-labels.ts'

type TriageChoiceProps = {
  search: ThreatSearch
  onChange: ChangeSearch
  disabled?: boolean
  'aria-describedby'?: string
}

const CHOICES = [undefined, ...triageFilterSchema.options]

/** Narrows the list by what the team has done. */
export function TriageChoice({ search: { triage }, onChange, ...control }: TriageChoiceProps) {
  const segments = CHOICES.map((choice) => ({
    key: choice ?? '',
    label: labelOf(choice),
    isOn: triage === choice,
    onPress: () => onChange({ triage: choice }),
  }))
  return <Segments {...control} legend={FILTER_LABELS.triage} isLabelled segments={segments} />
}

function labelOf(choice: TriageFilter | undefined): string {
  if (choice === undefined) return 'All'
  return choice === 'open' ? 'Open' : (TRIAGE_LABELS.get(choice) ?? choice)
}
