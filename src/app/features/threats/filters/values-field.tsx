import { type KeyboardEvent, type ReactNode, type Ref, Suspense, useRef, useState } from 'react'
import { CONTROL, Field } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'

/** Keys that move through the list and choose in it. */
const LIST_KEYS = ['ArrowDown', 'ArrowUp', 'Enter'] as const
export type ListKey = (typeof LIST_KEYS)[number]

/** Follows a key of the field; false where the key is the field's own. */
export type Steer = (event: KeyboardEvent) => boolean

/** State that the field shares with the list that opens under it. */
export type OpenList = {
  id: string
  steer: Ref<Steer>
  /** Narrows the list. */
  text: string
  /** Keys that were pressed before the list stood as it will, in their order. */
  due: readonly ListKey[]
  onDue(key: ListKey): void
  /** The first of them is done. */
  onDueDone(): void
  /** Which option the keys are at, by its id. */
  onActive(id: string | undefined): void
  /** True if a value was chosen since the list was opened. */
  hasChanged: boolean
  onChanged(): void
  onNarrow(text: string): void
  onClose(): void
}

type ValuesFieldProps = {
  label: string
  /** The chosen values as text; empty for none. */
  summary: string
  renderList(list: OpenList): ReactNode
}

/**
 * A combobox of several values: its list opens on a press, on an arrow or on typing, and stays open while values are
 * ticked. https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
export function ValuesField({ label, summary, renderList }: ValuesFieldProps) {
  const steer = useRef<Steer>(null)
  /** Null while it is closed. */
  const [text, setText] = useState<string | null>(null)
  const [due, setDue] = useState<readonly ListKey[]>([])
  const [activeId, setActiveId] = useState<string>()
  const [hasChanged, setHasChanged] = useState(false)
  const isOpen = text !== null
  const open = (typed: string) => {
    setText(typed)
    setDue([])
  }
  const close = () => {
    setText(null)
    setHasChanged(false)
  }

  const addDue = (key: ListKey) => setDue((keys) => [...keys, key])

  const followKey = (event: KeyboardEvent) => {
    // A key that chooses among an input method's suggestions is not ours.
    if (event.nativeEvent.isComposing) return
    const listKey = listKeyOf(event)
    if (isOpen && event.key === 'Escape') text === '' ? close() : setText('')
    else if (!isOpen && listKey) open('')
    else if (isOpen && !steer.current && listKey) addDue(listKey)
    else if (!steer.current?.(event)) return
    event.preventDefault()
  }

  return (
    <Field label={label}>
      {(control) => (
        <span className="relative block [anchor-scope:--values]">
          <input
            {...control}
            type="text"
            role="combobox"
            aria-haspopup="listbox"
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={isOpen ? `${control.id}-list` : undefined}
            aria-activedescendant={isOpen ? activeId : undefined}
            autoComplete="off"
            spellCheck={false}
            maxLength={512}
            placeholder={isOpen ? summary || 'Type to narrow' : 'Any'}
            value={text ?? summary}
            className={`${CONTROL} truncate pr-8 [anchor-name:--values]`}
            onFocus={({ target }) => target.select()}
            onBlur={close}
            onClick={() => isOpen || open('')}
            onChange={({ target }) => open(target.value)}
            onKeyDown={followKey}
          />
          <Icon
            name="chevron-down"
            className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-3.5 text-faint"
          />
          {isOpen && (
            <Suspense>
              {renderList({
                id: `${control.id}-list`,
                steer,
                text,
                due,
                onDue: addDue,
                onDueDone: () => setDue((keys) => keys.slice(1)),
                onActive: setActiveId,
                hasChanged,
                onChanged: () => setHasChanged(true),
                onNarrow: setText,
                onClose: close,
              })}
            </Suspense>
          )}
        </span>
      )}
    </Field>
  )
}

export function listKeyOf({ key }: KeyboardEvent): ListKey | undefined {
  return LIST_KEYS.find((each) => each === key)
}
