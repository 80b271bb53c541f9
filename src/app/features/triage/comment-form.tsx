import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { createBrowserStore } from '#app/ui/browser-store.ts'
import { Button } from '#app/ui/button.tsx'
import { mentionSchema } from '#contract/bff/mention.ts'
import type { TriageAction } from '#contract/bff/triage.ts'
import { type CommentDraft, EMPTY_COMMENT, trimDraft } from './mention-draft.ts'
import { MentionField } from './mention-field.tsx'

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
