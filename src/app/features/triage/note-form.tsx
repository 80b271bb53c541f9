import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { CONTROL, Field } from '#app/ui/field.tsx'
import { TRIAGE_TEXT_MAX_LENGTH } from '#contract/bff/triage.ts'

/** The team reads it on the threat's page. Ctrl+Enter sends it. */
export function NoteForm({ onNote }: { onNote(text: string): void }) {
  const [text, setText] = useState('')
  const note = () => {
    if (!text.trim()) return
    onNote(text.trim())
    setText('')
  }
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        note()
      }}
    >
      <Field label="Note for the team">
        {(control) => (
          <textarea
            {...control}
            data-first-focus
            rows={3}
            maxLength={TRIAGE_TEXT_MAX_LENGTH}
            className={`${CONTROL} h-auto py-1.5 max-sm:h-auto`}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) note()
            }}
          />
        )}
      </Field>
      <Button type="submit" className="justify-self-end" disabled={!text.trim()}>
        Add note
      </Button>
    </form>
  )
}
