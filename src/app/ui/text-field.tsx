import type { ComponentProps } from 'react'
import { CONTROL, Field, type FieldNotes } from './field.tsx'
import { Icon, type IconName } from './icon.tsx'

type TextFieldProps = ComponentProps<'input'> & FieldNotes & { icon?: IconName }

export function TextField({ label, hint, error, icon, className, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(control) => (
        <span className="relative block">
          {icon && (
            <Icon
              name={icon}
              className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-3.5 text-faint"
            />
          )}
          <input type="text" className={`${CONTROL} ${icon ? 'pl-8' : ''}`} {...control} {...input} />
        </span>
      )}
    </Field>
  )
}
