import type { ComponentProps } from 'react'
import { CONTROL, Field, type FieldNotes } from './field.tsx'
import { Icon } from './icon.tsx'

type SelectFieldProps = ComponentProps<'select'> & FieldNotes

/** The browser's own select: give it `<option>` children. */
export function SelectField({ label, hint, error, className, ...select }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(control) => (
        <span className="relative block">
          <select className={`${CONTROL} appearance-none truncate pr-8`} {...control} {...select} />
          <Icon
            name="chevron-down"
            className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-3.5 text-faint"
          />
        </span>
      )}
    </Field>
  )
}
