import type { ComponentProps } from 'react'
import { TextField } from './field.tsx'
import { useDraft } from './use-draft.ts'

type DraftTextFieldProps = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange'> & {
  value: string
  onCommit(text: string): void
}

/** A text field that reports its value when typing rests, or at once on Enter. Escape clears it, and then leaves it. */
export function DraftTextField({ value, onCommit, ...field }: DraftTextFieldProps) {
  const { text, change, commit } = useDraft(value, onCommit)
  return (
    <TextField
      {...field}
      value={text}
      onChange={(event) => change(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit(text)
        if (event.key !== 'Escape') return
        if (text === '') return event.currentTarget.blur()
        // The browser's own clearing could not be distinguished from typing.
        event.preventDefault()
        change('')
      }}
    />
  )
}
