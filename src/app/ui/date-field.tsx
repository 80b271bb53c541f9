import type { ComponentProps } from 'react'
import { CONTROL, Field } from './field.tsx'

type DateFieldProps = Omit<ComponentProps<'input'>, 'type'> &
  Pick<ComponentProps<typeof Field>, 'label' | 'hint' | 'error'>

/** A day, as `YYYY-MM-DD`. */
export function DateField({ label, hint, error, className, ...input }: DateFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(control) => <input type="date" className={`${CONTROL} tabular-nums`} {...control} {...input} />}
    </Field>
  )
}
