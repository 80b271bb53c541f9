import { type ComponentProps, type ReactNode, useId } from 'react'
import { Icon, type IconName } from './icon.tsx'

/** The texts of a field: its label, and below the control what to know or what is wrong. */
export type FieldNotes = { label: string; hint?: ReactNode; error?: ReactNode }

type FieldProps = FieldNotes & {
  className?: string
  /** Draws the control: spread the given props on it. */
  children(control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }): ReactNode
}

/** A visible label, a control, and under it what to know or what is wrong, tied together for all readers. */
export function Field({ label, hint, error, className = '', children }: FieldProps) {
  const id = useId()
  const noteId = `${id}-note`
  const note = error ?? hint
  return (
    <div className={`grid min-w-0 content-start gap-1 ${className}`}>
      <label htmlFor={id} className="font-medium text-muted text-xs">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': note ? noteId : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {note && (
        <p id={noteId} className={`text-xs ${error ? 'text-critical' : 'text-faint'}`}>
          {note}
        </p>
      )}
    </div>
  )
}

/** How every control of a form looks. On phones the text is 16 px, or iOS zooms in. */
export const CONTROL =
  'h-8 w-full min-w-0 rounded-md border border-edge bg-surface px-2.5 text-sm max-sm:h-11 max-sm:text-lg aria-invalid:border-critical disabled:cursor-not-allowed disabled:border-line disabled:bg-hover disabled:text-faint focus-visible:outline-offset-[-1px]'

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
