import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { recipientUsersOptions } from '#app/features/alerts/lantern-profile-options.ts'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { countOf } from '#app/format/count.ts'
import { CONTROL, Field } from '#app/ui/field.tsx'
import { FloatingList } from '#app/ui/floating-list.tsx'
import { ListOption } from '#app/ui/list-option.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { MENTIONS_MAX_COUNT } from '#contract/bff/mention.ts'
import { TRIAGE_TEXT_MAX_LENGTH } from '#contract/bff/triage.ts'
import {
  addMention,
  type CommentDraft,
  editDraft,
  findBegunMention,
  findPeople,
  type Person,
} from './mention-draft.ts'

type MentionFieldProps = {
  label: string
  draft: CommentDraft
  isReadOnly: boolean
  onChange(draft: CommentDraft): void
  /** Ctrl+Enter. */
  onSend(): void
}

const NAME_SHOWN_MAX_LENGTH = 60

/**
 * A text that mentions users: an `@` offers them at the caret. HTML allows no combobox role on a text of several lines, so
 * that the field stays a text box with a list. https://www.w3.org/TR/html-aria/#el-textarea
 */
export function MentionField({ label, draft, isReadOnly, onChange, onSend }: MentionFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState<number | null>(null)
  /** Position of the `@` whose list was closed. */
  const [closedAt, setClosedAt] = useState<number | null>(null)
  const [active, setActive] = useState({ typed: '', index: 0 })
  const isFull = draft.mentions.length >= MENTIONS_MAX_COUNT
  const begun = caret === null || isFull ? null : findBegunMention(draft, caret)
  const { data: session } = useQuery(sessionOptions())
  const { data, error } = useQuery({ ...recipientUsersOptions(), enabled: begun !== null })
  const others = data?.users.filter(({ id }) => id !== session?.user.id) ?? []
  const people = begun && begun.start !== closedAt ? findPeople(others, begun.typed) : []
  const isOpen = people.length > 0
  const index = active.typed === begun?.typed ? Math.min(active.index, people.length - 1) : 0

  const choose = (person: Person) => {
    const added = begun && addMention(draft, begun, person)
    if (!added) return
    // The browser puts the caret at the end of a text that it is given.
    flushSync(() => {
      onChange(added.draft)
      setCaret(added.caret)
    })
    field.current?.setSelectionRange(added.caret, added.caret)
  }
  const steer = (event: KeyboardEvent) => {
    // A key that chooses among an input method's suggestions is not ours.
    if (event.nativeEvent.isComposing) return
    const { key } = event
    if (key === 'Enter' && (event.ctrlKey || event.metaKey)) return onSend()
    if (!begun || !isOpen) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    const person = people[index]
    if (step !== undefined)
      setActive({ typed: begun.typed, index: (index + step + people.length) % people.length })
    else if (key === 'Escape') setClosedAt(begun.start)
    else if (person && !event.shiftKey && (key === 'Enter' || key === 'Tab')) choose(person)
    else return
    event.preventDefault()
    // The page around it has a use for Escape, too.
    event.stopPropagation()
  }

  return (
    <Field
      label={label}
      hint={error ? 'Users could not be loaded, so none is offered.' : 'Type @ to mention a user.'}
    >
      {(control) => {
        const listId = `${control.id}-list`
        const optionId = (option: number) => `${listId}-${option}`
        return (
          <span className="relative block [anchor-scope:--values]">
            <textarea
              {...control}
              ref={field}
              data-first-focus
              rows={3}
              maxLength={TRIAGE_TEXT_MAX_LENGTH}
              className={`${CONTROL} block h-auto py-1.5 [anchor-name:--values] max-sm:h-auto`}
              readOnly={isReadOnly}
              aria-autocomplete="list"
              aria-haspopup="listbox"
              aria-controls={isOpen ? listId : undefined}
              aria-activedescendant={isOpen ? optionId(index) : undefined}
              value={draft.text}
              onSelect={({ currentTarget: { selectionStart, selectionEnd } }) =>
                setCaret(selectionStart === selectionEnd ? selectionEnd : null)
              }
              onBlur={() => setCaret(null)}
              onChange={({ target: { value, selectionEnd } }) => {
                const edited = editDraft(draft, value, selectionEnd)
                if (findBegunMention(edited, selectionEnd)?.start !== closedAt) setClosedAt(null)
                setCaret(selectionEnd)
                onChange(edited)
              }}
              onKeyDown={steer}
            />
            {isOpen && (
              <FloatingList className="w-[min(22rem,anchor-size(width))]">
                <div id={listId} role="listbox" aria-label="Users" className="min-h-0 overflow-y-auto p-1.5">
                  {people.map((person, option) => (
                    <ListOption
                      key={person.id}
                      id={optionId(option)}
                      isActive={option === index}
                      onPress={() => choose(person)}
                    >
                      <span className="min-w-0 truncate">
                        <Untrusted text={person.name} maxLength={NAME_SHOWN_MAX_LENGTH} clip="silent" />
                      </span>
                      {person.email !== null && (
                        <span className="min-w-0 truncate text-faint text-xs"> {person.email}</span>
                      )}
                    </ListOption>
                  ))}
                </div>
              </FloatingList>
            )}
            <VisuallyHidden role="status">{isOpen && countOf(people.length, 'user')}</VisuallyHidden>
          </span>
        )
      }}
    </Field>
  )
}
