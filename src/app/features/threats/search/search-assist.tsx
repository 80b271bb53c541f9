import {
  type AriaAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useState,
} from 'react'
import { ApiError } from '#app/api/api-error.ts'
import { count, countOf } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'
import { FloatingList, ListOption } from '#app/ui/floating-list.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useDebouncedValue } from '#app/ui/use-debounced-value.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { ThreatFilter, ThreatList } from '#contract/bff/threat-list.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import type { QueryFault, QueryHint } from '#matcher/query/query-tree.ts'
import type { Steer } from '../filters/values-field.tsx'
import { type Suggestion, type Suggestions, useSuggestions } from './use-suggestions.ts'

/** Attributes of the field that its lazily loaded parts set. */
export type SearchControl = AriaAttributes

/** State that the field shares with its lazily loaded parts. */
type SearchDraft = {
  id: string
  text: string
  value: string
  /** Position of the caret; null while the focus is elsewhere. */
  caret: number | null
  /** Since the field got the focus. */
  isTyping: boolean
  /** The caret stands in a value that was begun: until the typing pauses, nothing is requested. */
  isHalfTyped: boolean
  steer: Ref<Steer>
  /** Puts a text in the field, with the caret behind a part of it. */
  write(text: string, caret: number): void
  commit(text: string): void
  onControl(control: SearchControl): void
}

type SearchAssistProps = {
  draft: SearchDraft
  filter: ThreatFilter
  list: ThreatList | undefined
  error: Error | null
}

/** A half-typed value needs no advice. */
const HINT_DELAY_MS = 700
/** More would push everything else away. */
const FAULTS_MAX_COUNT = 8

/**
 * Helps with the query language: completions at the caret as the list of a combobox, and below the field the faults of the
 * text with their corrections. https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
export function SearchAssist({ draft, filter, list, error }: SearchAssistProps) {
  const { id, text, value, caret, isTyping, isHalfTyped, onControl } = draft
  // The text and caret position at which the list was closed or opened, and the option that the keys are at.
  const [closedAt, setClosedAt] = useState<string | null>(null)
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const [active, setActive] = useState({ at: '', index: -1 })
  const [enteredText, setEnteredText] = useState<string | null>(null)
  const restedText = useDebouncedValue(text, HINT_DELAY_MS)
  const suggestions = useSuggestions(text, caret ?? text.length, filter)
  const { faults, hints } = parseQuery(text)

  const at = `${caret} ${text}`
  const choices = suggestions?.choices ?? []
  const isMeant = suggestions !== null && isTyping && isWorthOffering(text, suggestions)
  const isOpen = caret !== null && choices.length > 0 && closedAt !== at && (openedAt === at || isMeant)
  const index = isOpen && active.at === at ? Math.min(active.index, choices.length - 1) : -1

  const isApplied = text.trim() === value
  const isSettled = caret === null || enteredText === text || (restedText === text && !isOpen)
  // A fault that is only half typed is none.
  const known = isApplied ? (faults.length > 0 ? faults : refusalsOf(error)) : []
  const shown = known.slice(0, FAULTS_MAX_COUNT)
  const isFaulty = shown.length > 0

  // The typed text is not requested yet, so the list still answers the text before it.
  const isHeld = list !== undefined && isHalfTyped && !isApplied
  const understoodAs = list?.understoodAs ?? null

  const choose = ({ text: chosen }: Suggestion) => {
    if (!suggestions) return
    const { from, to } = suggestions.place
    const next = text.slice(0, from) + chosen + text.slice(to)
    const place = from + chosen.length
    // A field goes on with its values; a value is done.
    if (!chosen.endsWith(':')) setClosedAt(`${place} ${next}`)
    draft.write(next, place)
  }
  const mend = ({ from, to, fix = '' }: QueryFault) => {
    const next = (text.slice(0, from) + fix + text.slice(to)).trim()
    const place = Math.min(from + fix.length, next.length)
    // Nothing more is requested. The list shows what the text means now.
    setClosedAt(`${place} ${next}`)
    setEnteredText(next)
    draft.write(next, place)
    draft.commit(next)
  }
  const moveTo = (next: number) => setActive({ at, index: (next + choices.length) % choices.length })
  const steer = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const choice = choices[index]
    const offered = choice ?? (isOpen ? firstFor(text, suggestions) : undefined)
    const isTab = event.key === 'Tab' && !event.shiftKey
    if (step !== undefined) {
      if (choices.length === 0) return false
      if (!isOpen) {
        setClosedAt(null)
        setOpenedAt(at)
      }
      moveTo(index < 0 && step < 0 ? -1 : index + step)
    } else if (event.key === 'Escape' && isOpen) setClosedAt(at)
    else if (event.key === 'Enter' && choice) choose(choice)
    else if (isTab && offered) choose(offered)
    else {
      if (event.key === 'Enter') {
        setEnteredText(text)
        setClosedAt(at)
      }
      return false
    }
    return true
  }
  useImperativeHandle(draft.steer, () => steer)

  const listId = `${id}-list`
  const optionId = (option: number) => `${listId}-${option}`
  const activeId = index < 0 ? undefined : optionId(index)
  const faultId = (number: number) => `${id}-fault-${number}`
  const describedBy = [...shown.map((_, number) => faultId(number)), `${id}-understood`].join(' ')
  const tellControl = useEffectEvent(onControl)
  // With the list, and not a moment after it.
  useLayoutEffect(() => {
    tellControl({
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? listId : undefined,
      'aria-activedescendant': activeId,
      'aria-invalid': isFaulty || undefined,
      'aria-describedby': describedBy,
    })
  }, [isOpen, activeId, isFaulty, describedBy, listId])

  return (
    <>
      {isOpen && suggestions && (
        <FloatingList className="w-[min(28rem,anchor-size(width))]">
          <SuggestionList
            listId={listId}
            optionId={optionId}
            suggestions={suggestions}
            index={index}
            onChoose={choose}
          />
        </FloatingList>
      )}
      <VisuallyHidden role="status">{isOpen && countOf(choices.length, 'suggestion')}</VisuallyHidden>
      <div role="status" className="grid gap-1 text-xs empty:hidden">
        {shown.map((fault, number) => (
          <QueryFaultNote
            key={`${fault.from} ${fault.message}`}
            id={faultId(number)}
            text={text}
            fault={fault}
            onMend={mend}
          />
        ))}
        {known.length > shown.length && isFaulty && (
          <p className="text-critical">And {count(known.length - shown.length)} more.</p>
        )}
        {!isFaulty &&
          isSettled &&
          hints.map((hint) => (
            <QueryHintNote key={`${hint.from} ${hint.kind}`} text={text} hint={hint} onMend={mend} />
          ))}
      </div>
      <p id={`${id}-understood`} className="text-faint text-xs empty:hidden">
        {isHeld ? 'Still showing ' : understoodAs !== null && 'Understood as '}
        {understoodAs !== null && <Untrusted text={understoodAs} maxLength={480} clip="silent" dir="ltr" />}
        {isHeld && understoodAs === null && 'the list from before.'}
      </p>
    </>
  )
}

/**
 * Returns what the server refuses, with its position. Only the server knows some faults, such as unknown names of alert
 * profiles.
 */
function refusalsOf(error: Error | null): QueryFault[] {
  const fields = error instanceof ApiError ? (error.problem.fields ?? []) : []
  return fields.flatMap(({ name, reason: message, from, to, fix }) =>
    name !== 'q' || from === undefined || to === undefined
      ? []
      : [{ message, from, to, ...(fix !== undefined && { fix }) }],
  )
}

/** True where the caret is in a begun word. Between words, an arrow key requests what could follow. */
function isWorthOffering(text: string, { place }: Suggestions): boolean {
  return place.to > place.from || /[:,<>=]$/.test(text.slice(0, place.from))
}

/** Returns the suggestion that completes the value being typed; undefined without one, or if it is complete. */
function firstFor(text: string, suggestions: Suggestions | null): Suggestion | undefined {
  if (!suggestions) return undefined
  const { place, choices } = suggestions
  const typed = text.slice(place.from, place.to)
  const isValue = typed !== '' && /[:,<>=]$/.test(text.slice(0, place.from))
  return isValue && choices[0]?.text !== typed ? choices[0] : undefined
}

type SuggestionListProps = {
  listId: string
  optionId(option: number): string
  suggestions: Suggestions
  /** Index of the option that has the keyboard focus. */
  index: number
  onChoose(suggestion: Suggestion): void
}

/** The focus stays in the field above, which announces the active one. */
function SuggestionList({ listId, optionId, suggestions, index, onChoose }: SuggestionListProps) {
  const { choices, isExact, isSettled } = suggestions
  return (
    <>
      <div id={listId} role="listbox" aria-label="Suggestions" className="min-h-0 overflow-y-auto p-1.5">
        {choices.map((choice, option) => (
          <ListOption
            key={choice.text}
            id={optionId(option)}
            isActive={option === index}
            onPress={() => onChoose(choice)}
          >
            <span className="min-w-0 flex-1 truncate">
              <Untrusted text={choice.label} maxLength={80} clip="silent" isRaw />
            </span>
            {choice.note !== undefined && (
              <span className="min-w-0 truncate text-faint text-xs"> {choice.note}</span>
            )}
            {choice.count !== undefined && (
              <span className="shrink-0 text-faint text-xs tabular-nums">
                {' '}
                {count(choice.count)}
                {!isExact && ' so far'}
              </span>
            )}
          </ListOption>
        ))}
      </div>
      {!isSettled && <p className="border-line border-t px-3 py-1.5 text-faint text-xs">Counting…</p>}
    </>
  )
}

type NoteProps<Note> = { text: string; onMend(note: Note): void }

/** Number of characters of context before and after a position. */
const AROUND = 40

/** A meaningless part of the search: its position, the reason and a proposed replacement. */
function QueryFaultNote({
  id,
  text,
  fault,
  onMend,
}: NoteProps<QueryFault> & { id: string; fault: QueryFault }) {
  const { message, fix } = fault
  return (
    <Row
      button={fix !== undefined && <Mend label={mending(text, fault, fix)} onPress={() => onMend(fault)} />}
    >
      <span id={id} className="min-w-0 text-critical">
        <Icon name="alert" className="mr-1 inline size-3.5 align-[-0.15em]" />
        {message}
      </span>
      <Place text={text} place={fault} />
    </Row>
  )
}

/** How the text was read, where it could have been meant otherwise. */
function QueryHintNote({ text, hint, onMend }: NoteProps<QueryHint> & { hint: QueryHint }) {
  const { message, fix, choices = fix === undefined ? [] : [fix] } = hint
  return (
    <Row
      button={choices.map((choice) => (
        <Mend key={choice} label={labelOf(hint, choice)} onPress={() => onMend({ ...hint, fix: choice })} />
      ))}
    >
      <span className="min-w-0 text-muted max-sm:flex-[1_1_11rem]">{message}</span>
      {(hint.kind === 'unused' || hint.kind === 'sign') && <Place text={text} place={hint} />}
    </Row>
  )
}

function labelOf({ kind }: QueryHint, fix: string): string {
  if (kind === 'operator') return 'Search for the word'
  if (kind === 'open') return 'Close it'
  if (fix === '') return 'Remove it'
  return kind === 'name' ? `Write ${fix}:` : `Write ${fix}`
}

function mending(text: string, { from, to }: QueryFault, fix: string): string {
  const place = text.slice(from, to).trim()
  if (fix === '') return place === '' ? 'Close the gap' : 'Remove it'
  return fix === `${place})` ? 'Close it' : `Write ${fix}`
}

function Row({ button, children }: { button: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
      {children}
      {button}
    </div>
  )
}

function Mend({ label, onPress }: { label: string; onPress(): void }) {
  return (
    <Button size="small" className="max-w-full max-sm:h-11" onClick={onPress}>
      <span className="min-w-0 truncate">
        <Untrusted text={label} maxLength={80} clip="silent" isRaw />
      </span>
    </Button>
  )
}

/** The text around a place, which is marked in it; an empty place by a caret. */
function Place({ text, place: { from, to } }: { text: string; place: { from: number; to: number } }) {
  const [start, end] = [Math.max(0, from - AROUND), Math.min(text.length, to + AROUND)]
  const piece = (at: number, until: number) => {
    const part = text.slice(at, until)
    return part.trim() === '' ? part : <Untrusted text={part} maxLength={240} clip="silent" isRaw />
  }
  return (
    <code className="min-w-0 max-w-full whitespace-pre-wrap rounded-sm bg-hover px-1.5 pt-0.5 pb-1 font-mono wrap-anywhere">
      {start > 0 && '…'}
      {piece(start, from)}
      {text.slice(from, to).trim() === '' ? (
        <span aria-hidden="true" className="font-semibold text-critical">
          ‸
        </span>
      ) : (
        <span className="underline decoration-2 decoration-critical decoration-wavy underline-offset-3">
          {piece(from, to)}
        </span>
      )}
      {piece(Math.max(from, to), end)}
      {end < text.length && '…'}
    </code>
  )
}
