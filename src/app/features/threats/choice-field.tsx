import type { ComponentProps } from 'react'
import { visibleLine } from '#app/format/visible-text.ts'
import { SelectField } from '#app/ui/select-field.tsx'

type ChoiceFieldProps = Omit<ComponentProps<typeof SelectField>, 'value' | 'onChange' | 'children'> & {
  /** In use. A link can bring several, and ones that are no option. */
  values: readonly string[]
  options: readonly { value: string; label: string }[]
  /** Told an empty text for no value. */
  onChoose(value: string): void
}

const SEVERAL = '\u0000several'

/** A select with one value, none, or several that came with the address. */
export function ChoiceField({ values, options, onChoose, ...field }: ChoiceFieldProps) {
  const [first = ''] = values
  const isKnown = first === '' || options.some(({ value }) => value === first)
  return (
    <SelectField
      {...field}
      value={values.length > 1 ? SEVERAL : first}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">Any</option>
      {values.length > 1 && (
        <option value={SEVERAL} disabled>
          {values.length} chosen
        </option>
      )}
      {!isKnown && <option value={first}>{visibleLine(first)}</option>}
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}
