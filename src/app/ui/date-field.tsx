import type { ComponentProps } from 'react'
import { localDay } from '#app/format/local-day.ts'
import { CONTROL, Field, type FieldNotes } from './field.tsx'

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
