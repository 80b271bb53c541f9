import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { visibleLine } from '#contract/visible-text.ts'
import { Icon } from './icon.tsx'
import { Untrusted } from './untrusted.tsx'

export type ChipNote = { tone: 'danger' | 'warning'; text: ReactNode }

type ChipFieldProps = {
  label: string
  /** The input's name, by which a form finds it. */
  name: string
  hint?: ReactNode
  error?: ReactNode
  values: readonly string[]
  onChange(values: string[]): void
  /** Cuts typed or pasted text into values. */
  split(text: string): string[]
  /** A note about a value. */
  noteOf?(value: string, index: number): ChipNote | null
  placeholder?: string
  /** Values that the browser offers while one is typed. */
  suggestions?: readonly string[]
  inputMode?: 'text' | 'email'
}

const CHIP_MAX_LENGTH = 80
const TONES = {
  danger: 'border-critical/60 bg-critical/10',
  warning: 'border-medium/50 bg-medium/10',
  plain: 'border-line bg-hover',
} as const

/** Several short texts in one field: Enter or a comma ends one, Backspace edits the last one, arrows reach each. */
export function ChipField(props: ChipFieldProps) {
  const { label, name, hint, error, values, onChange, split, noteOf, placeholder, suggestions, inputMode } =
    props
  const id = useId()
  const [text, setText] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const notes = values.flatMap((value, index) => {
    const note = noteOf?.(value, index)
    return note ? [{ ...note, value, index }] : []
  })
  const hasFault = Boolean(error) || notes.some(({ tone }) => tone === 'danger')

  const add = (added: string) => {
    const pieces = split(added)
    setText('')
    if (pieces.length > 0) onChange([...values, ...pieces])
  }
  const remove = (index: number) => {
    onChange(values.filter((_, at) => at !== index))
    // The focused chip was removed, so the next one gets the focus.
    requestAnimationFrame(() => focusChip(index))
  }
  const focusChip = (index: number) => {
    const buttons = box.current?.querySelectorAll<HTMLElement>('[data-chip]') ?? []
    const target = buttons[Math.max(0, index)] ?? input.current
    target?.focus()
  }
  const typed = (event: KeyboardEvent<HTMLInputElement>) => {
    // An Enter that chooses among an input method's suggestions is not ours.
    if (event.nativeEvent.isComposing) return
    const isAtStart = event.currentTarget.selectionStart === 0 && event.currentTarget.selectionEnd === 0
    if (event.key === 'Enter') {
      event.preventDefault()
      add(text)
    } else if (event.key === ',' && split(`${text},x`).length > 1) {
      event.preventDefault()
      add(text)
    } else if (event.key === 'Backspace' && text === '' && values.length > 0) {
      event.preventDefault()
      setText(values.at(-1) ?? '')
      onChange(values.slice(0, -1))
    } else if (event.key === 'ArrowLeft' && isAtStart && values.length > 0) {
      focusChip(values.length - 1)
    }
  }
  const pasted = (event: ClipboardEvent) => {
    const pieces = split(event.clipboardData.getData('text'))
    if (pieces.length < 2) return
    event.preventDefault()
    setText('')
    onChange([...values, ...split(text), ...pieces])
  }
  const steer = (event: KeyboardEvent, index: number) => {
    if (event.key === 'ArrowLeft') focusChip(index - 1)
    else if (event.key === 'ArrowRight') focusChip(index + 1)
    else if (event.key === 'Delete' || event.key === 'Backspace') remove(index)
    else return
    event.preventDefault()
  }

  return (
    <div className="grid min-w-0 content-start gap-1">
      <label htmlFor={id} className="font-medium text-muted text-xs">
        {label}
      </label>
      <div
        ref={box}
        className={`flex min-h-8 flex-wrap items-center gap-1 rounded-md border bg-surface p-[3px] has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent has-[input:focus-visible]:outline-offset-[-1px] max-sm:min-h-11 ${hasFault ? 'border-critical' : 'border-edge'}`}
      >
        <ul className="contents">
          {values.map((value, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a value may stand twice, and the place is what tells them apart
            <li key={`${index} ${value}`} className="max-w-full">
              <Chip
                value={value}
                tone={notes.find((note) => note.index === index)?.tone}
                onRemove={() => remove(index)}
                onKeyDown={(event) => steer(event, index)}
              />
            </li>
          ))}
        </ul>
        <input
          ref={input}
          id={id}
          name={name}
          type="text"
          inputMode={inputMode}
          value={text}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          list={suggestions && `${id}-suggestions`}
          placeholder={values.length === 0 ? placeholder : undefined}
          aria-describedby={`${id}-note`}
          aria-invalid={hasFault || undefined}
          className="h-6 min-w-32 flex-1 bg-transparent px-1.5 text-sm outline-none max-sm:text-lg"
          onChange={({ target, nativeEvent }) =>
            suggestions?.includes(target.value) && isPick(nativeEvent)
              ? add(target.value)
              : setText(target.value)
          }
          onKeyDown={typed}
          onPaste={pasted}
          onBlur={() => text !== '' && add(text)}
        />
        {suggestions && (
          <datalist id={`${id}-suggestions`}>
            {suggestions.filter(isPlain).map((suggestion) => (
              <option key={suggestion} value={suggestion} />
            ))}
          </datalist>
        )}
      </div>
      <div id={`${id}-note`} className="grid gap-0.5 text-xs">
        {error && <p className="text-critical">{error}</p>}
        {notes.map(({ value, index, tone, text: note }) => (
          <p key={index} className={tone === 'danger' ? 'text-critical' : 'text-medium'}>
            <Untrusted text={value} maxLength={40} clip="silent" isRaw />: {note}
          </p>
        ))}
        {hint && !error && <p className="text-faint">{hint}</p>}
      </div>
    </div>
  )
}

type ChipProps = {
  value: string
  tone: keyof typeof TONES | undefined
  onRemove(): void
  onKeyDown(event: KeyboardEvent): void
}

function Chip({ value, tone = 'plain', onRemove, onKeyDown }: ChipProps) {
  return (
    <span
      className={`flex h-6 min-w-0 items-center gap-0.5 rounded-sm border pl-1.5 text-sm max-sm:h-11 ${TONES[tone]}`}
    >
      {tone !== 'plain' && (
        <Icon
          name="alert"
          className={`mr-0.5 size-3 ${tone === 'danger' ? 'text-critical' : 'text-medium'}`}
        />
      )}
      <span className="min-w-0 truncate">
        <Untrusted text={value} maxLength={CHIP_MAX_LENGTH} clip="silent" isRaw />
      </span>
      <button
        type="button"
        data-chip
        aria-label={`Remove ${visibleLine(value).slice(0, CHIP_MAX_LENGTH)}`}
        className="grid size-5 shrink-0 place-items-center rounded-sm text-muted hover:bg-pressed hover:text-ink"
        onClick={onRemove}
        onKeyDown={onKeyDown}
      >
        <Icon name="x" className="size-3" />
      </button>
    </span>
  )
}

/** Text that came at once and whole: a suggestion was picked. Some browsers do not name how. */
function isPick(event: Event): boolean {
  return !(event instanceof InputEvent) || ['', 'insertReplacementText'].includes(event.inputType)
}

/** The browser's own list cannot mark characters that act unseen, so text with any is not suggested. */
function isPlain(text: string): boolean {
  return visibleLine(text) === text
}
