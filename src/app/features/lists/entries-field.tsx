import { count, countOf } from '#app/format/count.ts'
import { Checkbox } from '#app/ui/checkbox.tsx'
import { CONTROL, Field } from '#app/ui/field.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { ReadEntries } from './collect-entries.ts'

const SHOWN_COUNT = 20

type EntriesFieldProps = {
  text: string
  read: ReadEntries
  /** True if the lines that were refused are left out. */
  leavesOut: boolean
  onType(text: string): void
  onLeaveOut(leavesOut: boolean): void
}

/** Names, one a line, and below it at once how each line is understood. Nothing is sent while one is refused. */
export function EntriesField({ text, read, leavesOut, onType, onLeaveOut }: EntriesFieldProps) {
  const { entries, refused, repeated } = read
  return (
    <div className="grid gap-3">
      <Field
        label="Names"
        hint="One a line, such as “Okapi Ltd” or “Okapi Ltd, okapi.example”. Domains make matches certain."
      >
        {(control) => (
          <textarea
            {...control}
            rows={12}
            spellCheck={false}
            className={`${CONTROL} h-auto py-1.5 font-mono max-sm:h-auto`}
            value={text}
            onChange={(event) => onType(event.target.value)}
          />
        )}
      </Field>
      <p role="status" className="text-muted text-sm">
        {text.trim() !== '' &&
          [
            `${countOf(entries.length, 'entry', 'entries')} understood`,
            refused.length > 0 && `${countOf(refused.length, 'line')} refused`,
            repeated.length > 0 && `${countOf(repeated.length, 'repeated line')} left out`,
          ]
            .filter(Boolean)
            .join(', ')}
      </p>
      {refused.length > 0 && (
        <div className="grid gap-2 rounded-md border border-critical/50 p-3">
          <ul className="grid gap-1 text-sm">
            {refused.slice(0, SHOWN_COUNT).map(({ line, text: refusedText, reason }) => (
              <li key={line}>
                <span className="text-muted">Line {count(line)}: </span>
                <Untrusted text={refusedText} maxLength={80} clip="silent" />{' '}
                <span className="text-critical">{reason}</span>
              </li>
            ))}
          </ul>
          {refused.length > SHOWN_COUNT && (
            <p className="text-muted text-sm">
              {count(refused.length - SHOWN_COUNT)} more lines are refused.
            </p>
          )}
          <Checkbox isChecked={leavesOut} onChange={onLeaveOut}>
            Leave out {refused.length === 1 ? 'this line' : `these ${count(refused.length)} lines`}
          </Checkbox>
        </div>
      )}
    </div>
  )
}
