import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import { CONTROL, Field } from './field.tsx'

type SecretFieldProps = {
  label: string
  hint?: ReactNode
  value: string
  /** In a dialog that opens with it. */
  isFirstFocus?: boolean
}

/** A secret to copy. It selects itself, and only the secret is monospaced. */
export function SecretField({ label, hint, value, isFirstFocus = false }: SecretFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <span className="flex items-center gap-2">
          <input
            {...control}
            readOnly
            value={value}
            data-first-focus={isFirstFocus || undefined}
            onFocus={(event) => event.target.select()}
            className={`${CONTROL} font-mono`}
          />
          <CopyButton text={value} size="medium" className="max-sm:h-11" />
        </span>
      )}
    </Field>
  )
}
