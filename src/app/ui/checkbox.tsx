import type { ReactNode } from 'react'

type CheckboxProps = {
  name?: string
  isChecked: boolean
  /** It keeps the focus, and takes no press. */
  isBusy?: boolean
  onChange(isChecked: boolean): void
  /** Its label. */
  children: ReactNode
}

export function Checkbox({ name, isChecked, isBusy = false, onChange, children }: CheckboxProps) {
  return (
    <label className="flex min-h-8 items-center gap-2 text-sm max-sm:min-h-11">
      <input
        type="checkbox"
        name={name}
        className="size-4"
        checked={isChecked}
        aria-disabled={isBusy || undefined}
        onChange={({ target }) => {
          if (!isBusy) onChange(target.checked)
        }}
      />
      {children}
    </label>
  )
}
