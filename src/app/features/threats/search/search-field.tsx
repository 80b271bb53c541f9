import { type KeyboardEvent, lazy, type Ref, Suspense, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { IconButton } from '#app/ui/button.tsx'
import { CONTROL } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Popover } from '#app/ui/popover.tsx'
import { useCommitAtRest, useOpenDraft } from '#app/ui/use-draft.ts'
import { SEARCH_MAX_LENGTH, type ThreatFilter, type ThreatList } from '#contract/bff/threat-list.ts'
import type { Steer } from '../filters/values-field.tsx'
import type { SearchControl } from './search-assist.tsx'
import { hasSigns, useQueryLanguage } from './use-query-language.ts'

// Not on the way to the first page: fetched when somebody searches.
const SearchAssist = lazy(async () => ({ default: (await import('./search-assist.tsx')).SearchAssist }))
const SearchHelp = lazy(async () => ({ default: (await import('./search-help.tsx')).SearchHelp }))

const UNKNOWN_REST_MS = 1_500

type SearchFieldProps = {
  /** As the address has it. */
  value: string
  /** The filters beside the search. */
  filter: ThreatFilter
  /** The shown answer; undefined before the first, and until the next is there. */
  list: ThreatList | undefined
  /** Why there is no answer to the value. */
  error: Error | null
  inputRef?: Ref<HTMLInputElement>
  onCommit(text: string): void
}

/** The search, in the query language. What is half typed or has a fault waits until it is whole, or is left, or rests. */
export function SearchField({ value, filter, list, error, inputRef, onCommit }: SearchFieldProps) {
  const id = useId()
  const steer = useRef<Steer>(null)
  const box = useRef<HTMLSpanElement>(null)
  const [caret, setCaret] = useState<number | null>(null)
  const [isUsed, setIsUsed] = useState(false)
  const [isTyping, setIsTyping] = useState(false)
  const [control, setControl] = useState<SearchControl>({})
  // A chosen value is complete.
  const [chosenText, setChosenText] = useState<string | null>(null)
  const openDraft = useOpenDraft(value, onCommit)
  const { text, change, commit } = openDraft
  const language = useQueryLanguage(text)
  const isOpen = control['aria-expanded'] === true
  // Nobody can tell before the language is there.
  const restMs = language
    ? language.restMsOf(text, { place: caret ?? 0, isChosen: text === chosenText, isOpen })
    : hasSigns(text)
      ? UNKNOWN_REST_MS
      : null
  const isHalfTyped = isTyping && caret !== null && restMs !== null
  useCommitAtRest(openDraft, isHalfTyped ? restMs : undefined)

  const write = (next: string, place: number) => {
    // A key that follows at once is typed behind it.
    flushSync(() => {
      change(next)
      setChosenText(next)
      setCaret(place)
      setIsTyping(true)
    })
    const input = box.current?.querySelector('input')
    input?.focus()
    input?.setSelectionRange(place, place)
  }
  const follow = (event: KeyboardEvent<HTMLInputElement>) => {
    // A key that chooses among an input method's suggestions is not ours.
    if (event.nativeEvent.isComposing) return
    if (steer.current?.(event)) return event.preventDefault()
    if (event.key === 'Enter') {
      commit(text)
      // The parts that help may be loaded only now.
      setIsTyping(false)
    }
    // A question is many words long: what ends the typing takes none of it away.
    if (event.key === 'Escape') event.currentTarget.blur()
  }
  const search = (example: string) => {
    write(example, example.length)
    commit(example)
  }
  const draft = { id, text, value, caret, isTyping, isHalfTyped, steer, write, commit, onControl: setControl }

  return (
    <div className="col-span-full grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1.5 [anchor-scope:--values]">
      <span ref={box} className="relative flex gap-1">
        <Icon
          name="search"
          className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-3.5 text-faint"
        />
        <input
          ref={inputRef}
          type="text"
          role="combobox"
          aria-label="Search"
          aria-autocomplete="list"
          aria-expanded={false}
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={SEARCH_MAX_LENGTH}
          placeholder="Search, for example: hospital country:DE"
          value={text}
          className={`${CONTROL} pl-8 [anchor-name:--values] placeholder:text-ellipsis max-sm:placeholder:text-sm`}
          onFocus={() => setIsUsed(true)}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionEnd)}
          onBlur={() => {
            // Whoever presses a button next means what is typed.
            commit(text)
            setCaret(null)
            setIsTyping(false)
          }}
          onChange={({ target }) => {
            change(target.value)
            setCaret(target.selectionEnd)
            setIsTyping(true)
          }}
          onKeyDown={follow}
          {...control}
        />
        <Popover
          label="Query help"
          align="end"
          renderTrigger={(trigger) => <IconButton icon="info" label="Query help" {...trigger} />}
        >
          <Suspense>
            <SearchHelp list={list} onSearch={search} />
          </Suspense>
        </Popover>
      </span>
      {(isUsed || value !== '') && (
        <Suspense>
          <SearchAssist draft={draft} filter={filter} list={list} error={error} />
        </Suspense>
      )}
    </div>
  )
}
