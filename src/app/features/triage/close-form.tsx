import { type KeyboardEvent, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Kbd } from '#app/ui/kbd.tsx'
import { RadioRow } from '#app/ui/radio-row.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { closeReason } from '#contract/bff/close-reason-words.ts'
import { TRIAGE_TEXT_MAX_LENGTH } from '#contract/bff/triage.ts'
import { type CloseReason, closeReasonSchema } from '#contract/bff/triage-state.ts'

type CloseFormProps = { onReason(reason: CloseReason, text: string | null): void }

const REASONS = closeReasonSchema.options

/** A reason by its number and Enter: a morning's feed takes many of these. */
export function CloseForm({ onReason }: CloseFormProps) {
  const [reason, setReason] = useState<CloseReason>('not_relevant')
  const [text, setText] = useState('')
  const [isMissing, setIsMissing] = useState(false)

  const chooseByNumber = ({ key, target, currentTarget }: KeyboardEvent) => {
    if (target instanceof HTMLInputElement && target.type === 'text') return
    const radio = currentTarget.querySelectorAll<HTMLInputElement>('[name=reason]')[Number(key) - 1]
    radio?.focus()
    radio?.click()
  }
  const close = () => {
    const trimmed = text.trim()
    if (reason === 'other' && !trimmed) return setIsMissing(true)
    onReason(reason, trimmed || null)
  }

  return (
    <form
      className="grid gap-4"
      onKeyDown={chooseByNumber}
      onSubmit={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <fieldset>
        <legend className="mb-1 font-medium">Reason</legend>
        {REASONS.map((each, index) => (
          <RadioRow
            key={each}
            name="reason"
            data-first-focus={index === 0 || undefined}
            checked={reason === each}
            onChange={() => setReason(each)}
          >
            <span className="grow">{closeReason(each)}</span>
            <Kbd>{index + 1}</Kbd>
          </RadioRow>
        ))}
      </fieldset>
      <TextField
        label={reason === 'other' ? 'What reason' : 'Details (optional)'}
        value={text}
        maxLength={TRIAGE_TEXT_MAX_LENGTH}
        error={isMissing && !text.trim() ? 'Say which, so that the team knows.' : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex items-center justify-between gap-2">
        <p className="text-muted text-xs">Closed for the whole team. It can be reopened.</p>
        <Button type="submit" variant="primary">
          Close case
        </Button>
      </div>
    </form>
  )
}
