import { type ComponentProps, useEffect, useEffectEvent, useState } from 'react'
import { DateField } from './date-field.tsx'
import { TextField } from './text-field.tsx'

const DELAY_MS = 300
// While a year is typed, a date field passes through 0002, 0020 and 0202.
const FIRST_DAY = '1970-01-01'

type DraftFieldProps<T extends typeof TextField | typeof DateField> = Omit<
  ComponentProps<T>,
  'value' | 'onChange'
> & { value: string; onCommit(text: string): void }

/** A text field that reports its value when typing rests, or at once on Enter. Escape clears it, and then leaves it. */
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
        // The browser's own clearing could not be distinguished from typing.
        event.preventDefault()
        change('')
      }}
    />
  )
}

/** A date field that reports its value once it is a day that somebody can mean. */
export function DraftDateField({ value, onCommit, ...field }: DraftFieldProps<typeof DateField>) {
  const commitDay = (day: string) => {
    if (day === '' || day >= FIRST_DAY) onCommit(day)
  }
  const { text, change } = useDraft(value, commitDay, DELAY_MS)
  return <DateField {...field} value={text} onChange={(event) => change(event.target.value)} />
}

/**
 * Text on its way into the URL. What is typed stands until the URL changes to something that was not typed here: an echo
 * of an earlier keystroke must not undo a later one, but Back, a removed chip and 'Clear all' must.
 */
function useDraft(value: string, onCommit: (text: string) => void, delayMs: number) {
  const [draft, setDraft] = useState<string | null>(null)
  const [sent, setSent] = useState(value)
  const [seen, setSeen] = useState(value)

  if (value !== seen) {
    setSeen(value)
    if (value !== sent) setDraft(null)
  }

  const commit = (text: string) => {
    const trimmed = text.trim()
    setSent(trimmed)
    if (trimmed !== value) onCommit(trimmed)
  }
  const commitLater = useEffectEvent(commit)

  useEffect(() => {
    if (draft === null) return
    const timer = setTimeout(() => commitLater(draft), delayMs)
    return () => clearTimeout(timer)
  }, [draft, delayMs])

  return { text: draft ?? value, change: setDraft, commit: () => commit(draft ?? value) }
}
