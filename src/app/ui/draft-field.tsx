import type { ComponentProps } from 'react'
import { DateField } from './date-field.tsx'
import { TextField } from './text-field.tsx'
import { useDraft } from './use-draft.ts'

const DELAY_MS = 300
// While a year is typed, a date field passes through 0002, 0020 and 0202.
const FIRST_DAY = '1970-01-01'

type DraftFieldProps<T extends typeof TextField | typeof DateField> = Omit<
  ComponentProps<T>,
  'value' | 'onChange'
> & { value: string; onCommit(text: string): void }

/** A text field that tells its value when typing rests, or at once on Enter. Escape clears it, and then leaves it. */
export function DraftTextField({ value, onCommit, ...field }: DraftFieldProps<typeof TextField>) {
  const { text, change, commit } = useDraft(value, onCommit, DELAY_MS)
  return (
    <TextField
      {...field}
      value={text}
      onChange={(event) => change(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit()
        if (event.key !== 'Escape') return
        if (text === '') return event.currentTarget.blur()
        // The browser's own clearing would not be told apart from typing.
        event.preventDefault()
        change('')
      }}
    />
  )
}

/** A date field that tells its value once it is a day that somebody can mean. */
export function DraftDateField({ value, onCommit, ...field }: DraftFieldProps<typeof DateField>) {
  const commitDay = (day: string) => {
    if (day === '' || day >= FIRST_DAY) onCommit(day)
  }
  const { text, change } = useDraft(value, commitDay, DELAY_MS)
  return <DateField {...field} value={text} onChange={(event) => change(event.target.value)} />
}
