import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import * as z from 'zod/mini'
import { recipientUsersOptions } from '#app/features/alerts/lantern-profile-options.ts'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { countOf } from '#app/format/count.ts'
import { createBrowserStore } from '#app/ui/browser-store.ts'
import { Button } from '#app/ui/button.tsx'
import { CONTROL, Field } from '#app/ui/field.tsx'
import { FloatingList, ListOption } from '#app/ui/floating-list.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import {
  MENTIONS_MAX_COUNT,
  mentionSchema,
  TRIAGE_TEXT_MAX_LENGTH,
  type TriageAction,
} from '#contract/bff/triage.ts'
import {
  addMention,
  type CommentDraft,
  EMPTY_COMMENT,
  editDraft,
  findBegunMention,
  findPeople,
  type Person,
  trimDraft,
} from './mention-draft.ts'

type CommentFormProps = {
  ids: readonly string[]
  /** Answers whether it was taken. */
  onComment(comment: TriageAction): Promise<boolean>
}

/** The team reads it on the threat's page. Ctrl+Enter sends it. Until it is taken, what was typed stays in the tab. */
export function CommentForm({ ids, onComment }: CommentFormProps) {
  const { data: session } = useQuery(sessionOptions())
  const [drafts] = useState(() => createCommentDrafts(session?.user.id ?? '', ids))
  const [draft, setDraft] = useState(drafts.read)
  const [isSending, setIsSending] = useState(false)
  const write = (written: CommentDraft) => {
    setDraft(written)
    drafts.keep(written)
  }
  const send = async () => {
    const { text, mentions } = trimDraft(draft)
    if (isSending || text === '') return
    setIsSending(true)
    try {
      const isTaken = await onComment({
        action: 'note',
        ids: [...ids],
        text,
        ...(mentions.length > 0 && { mentions: [...mentions] }),
      })
      if (isTaken) write(EMPTY_COMMENT)
    } finally {
      setIsSending(false)
    }
  }
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <MentionField
        label="Comment for the team"
        draft={draft}
        isReadOnly={isSending}
        onChange={write}
        onSend={send}
      />
      <Button type="submit" className="justify-self-end" isBusy={isSending} disabled={!draft.text.trim()}>
        Add comment
      </Button>
    </form>
  )
}

const draftsSchema = z.array(
  z.object({ ids: z.string(), text: z.string(), mentions: z._default(z.array(mentionSchema), []) }),
)

const KEPT_DRAFTS = 20

/** A comment on these threats that is being written, in this tab and for this account alone: it outlives a reload and a sign-out. */
function createCommentDrafts(userId: string, threatIds: readonly string[]) {
  const ids = JSON.stringify(threatIds)
  const store = createBrowserStore({
    key: `lantern.note-drafts.${userId}`,
    schema: draftsSchema,
    fallback: [],
    lifetime: 'session',
  })
  return {
    read: (): CommentDraft => store.read().find((kept) => kept.ids === ids) ?? EMPTY_COMMENT,
    keep({ text, mentions }: CommentDraft) {
      const others = store.read().filter((kept) => kept.ids !== ids)
      const kept = { ids, text, mentions: [...mentions] }
      store.write(text === '' ? others : [...others.slice(1 - KEPT_DRAFTS), kept])
    },
  }
}

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
function MentionField({ label, draft, isReadOnly, onChange, onSend }: MentionFieldProps) {
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
