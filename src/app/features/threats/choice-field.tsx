import { type ComponentProps, memo, useState } from 'react'
import { count } from '#app/format/count.ts'
import { visibleLine } from '#app/format/visible-text.ts'
import { nextPaint } from '#app/ui/next-paint.ts'
import { SelectField } from '#app/ui/select-field.tsx'
import type { Choice } from './count-choices.ts'

type ChoiceFieldProps = Omit<ComponentProps<typeof SelectField>, 'value' | 'onChange' | 'children'> & {
  /** In use. A link can bring several, and ones that are no option. */
  values: readonly string[]
  options: readonly Choice[]
  /** False while the counts are of what is stored so far. */
  areCountsWhole: boolean
  /** Called with an empty text for no value. */
  onChoose(value: string): void
}

const SEVERAL = '\u0000several'

/** The browser's own select, of one value, none or several: those stand as chips beside it. */
export function ChoiceField({ values, options, areCountsWhole, onChoose, ...field }: ChoiceFieldProps) {
  const [first = ''] = values
  const inUse = values.length > 1 ? SEVERAL : first
  // What was just chosen stands there at once, before the list that it asks for is drawn.
  const [chosen, setChosen] = useState<string | null>(null)
  const choose = async (value: string) => {
    setChosen(value)
    await nextPaint()
    onChoose(value)
    setChosen(null)
  }
  const isKnown = first === '' || options.some(({ value }) => value === first)
  return (
    <SelectField {...field} value={chosen ?? inUse} onChange={(event) => choose(event.target.value)}>
      <option value="">Any</option>
      {values.length > 1 && (
        <option value={SEVERAL} disabled>
          {values.length} chosen
        </option>
      )}
      {!isKnown && <option value={first}>{visibleLine(first)}</option>}
      <Choices options={options} values={values} areCountsWhole={areCountsWhole} />
    </SelectField>
  )
}

/** Memoised: there are 250 countries, and a press anywhere on the page draws it anew. */
const Choices = memo(function Choices({
  options,
  values,
  areCountsWhole,
}: Pick<ChoiceFieldProps, 'options' | 'values' | 'areCountsWhole'>) {
  return options.map((option) => (
    <option key={option.value} value={option.value}>
      {describe(option, values, areCountsWhole)}
    </option>
  ))
})

/** The only value stands in the closed select, which has no room for its count. */
function describe(
  { value, label, count: times }: Choice,
  values: readonly string[],
  isWhole: boolean,
): string {
  const isChosen = values.includes(value)
  if (isChosen && values.length === 1) return label
  return `${isChosen ? '✓ ' : ''}${label}${times === undefined ? '' : ` · ${count(times)}${isWhole ? '' : ' so far'}`}`
}
