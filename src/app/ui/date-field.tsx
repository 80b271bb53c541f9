import type { ComponentProps } from 'react'
import { localDay } from '#app/format/local-day.ts'
import { CONTROL, Field, type FieldNotes } from './field.tsx'
import { useDraft } from './use-draft.ts'

type DateFieldProps = Omit<ComponentProps<'input'>, 'type' | 'value'> & FieldNotes & { value: string }

/** A day, as `YYYY-MM-DD`. Until it is edited it stands as all other text writes it, whatever the browser's own order is. */
export function DateField({ label, hint, error, className, value, ...input }: DateFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(control) => (
        <span className="relative block min-w-0">
          <input
            type="date"
            className={`peer ${CONTROL} tabular-nums ${value ? 'not-focus:text-transparent' : ''}`}
            {...control}
            {...input}
            value={value}
          />
          {value && (
            <span
              aria-hidden="true"
              className="pointer-events-none absolute inset-y-0 right-8 left-2.5 flex items-center truncate text-sm tabular-nums peer-focus:hidden max-sm:text-lg forced-colors:hidden"
            >
              {localDay(value)}
            </span>
          )}
        </span>
      )}
    </Field>
  )
}

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
