import type { ComponentProps } from 'react'
import { DateField } from './date-field.tsx'
import { useDraft } from './use-draft.ts'

// While a year is typed, a date field passes through 0002, 0020 and 0202.
const FIRST_DAY = '1970-01-01'

type DraftDateFieldProps = Omit<ComponentProps<typeof DateField>, 'value' | 'onChange'> & {
  value: string
  onCommit(text: string): void
}

/** A date field that reports its value once it is a day that somebody can mean. */
export function DraftDateField({ value, onCommit, ...field }: DraftDateFieldProps) {
  const commitDay = (day: string) => {
    if (day === '' || day >= FIRST_DAY) onCommit(day)
  }
  const { text, change } = useDraft(value, commitDay)
  return <DateField {...field} value={text} onChange={(event) => change(event.target.value)} />
}
