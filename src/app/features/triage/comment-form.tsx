import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { createBrowserStore } from '#app/ui/browser-store.ts'
import { Button } from '#app/ui/button.tsx'
import { CONTROL, Field } from '#app/ui/field.tsx'
import { TRIAGE_TEXT_MAX_LENGTH } from '#contract/bff/triage.ts'

type CommentFormProps = {
  ids: readonly string[]
  /** Answers whether it was taken. */
  onComment(text: string): Promise<boolean>
}

/** The team reads it on the threat's page. Ctrl+Enter sends it. Until it is taken, what was typed stays in the tab. */
export function CommentForm({ ids, onComment }: CommentFormProps) {
  const { data: session } = useQuery(sessionOptions())
  const [drafts] = useState(() => createCommentDrafts(session?.user.id ?? '', ids))
  const [text, setText] = useState(drafts.read)
  const [isSending, setIsSending] = useState(false)
  const type = (typed: string) => {
    setText(typed)
    drafts.keep(typed)
  }
  const send = async () => {
    if (isSending || !text.trim()) return
    setIsSending(true)
    try {
      if (await onComment(text.trim())) type('')
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
      <Field label="Comment for the team">
        {(control) => (
          <textarea
            {...control}
            data-first-focus
            rows={3}
            maxLength={TRIAGE_TEXT_MAX_LENGTH}
            className={`${CONTROL} h-auto py-1.5 max-sm:h-auto`}
            readOnly={isSending}
            value={text}
            onChange={(event) => type(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
            }}
          />
        )}
      </Field>
      <Button type="submit" className="justify-self-end" isBusy={isSending} disabled={!text.trim()}>
        Add comment
      </Button>
    </form>
  )
}

const draftsSchema = z.array(z.object({ ids: z.string(), text: z.string() }))

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
    read: () => store.read().find((kept) => kept.ids === ids)?.text ?? '',
    keep(text: string) {
      const others = store.read().filter((kept) => kept.ids !== ids)
      store.write(text === '' ? others : [...others.slice(1 - KEPT_DRAFTS), { ids, text }])
    },
  }
}
