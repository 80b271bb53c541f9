import type { Rows } from '#app/format/counted-rows.ts'
import { Segments } from './segments.tsx'

const KINDS = ['cases', 'claims'] as const
const LABELS: Readonly<Record<Rows, string>> = { cases: 'Cases', claims: 'Claims' }

type RowKindChoiceProps = {
  /** `Rows` of a list, `Count` of figures. */
  legend: string
  isLabelled?: boolean
  rows: Rows
  onChoose(rows: Rows): void
}

/** Chooses between cases and claims. */
export function RowKindChoice({ legend, isLabelled = false, rows, onChoose }: RowKindChoiceProps) {
  return (
    <Segments
      legend={legend}
      isLabelled={isLabelled}
      segments={KINDS.map((key) => ({
        key,
        label: LABELS[key],
        isOn: key === rows,
        onPress: () => onChoose(key),
      }))}
    />
  )
}
