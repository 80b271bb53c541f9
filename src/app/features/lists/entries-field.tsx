import type { ReactNode } from 'react'
import { count, countOf } from '#app/format/count.ts'
import { Checkbox } from '#app/ui/checkbox.tsx'
import { CONTROL, Field } from '#app/ui/field.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { ReadEntries } from './collect-entries.ts'
import { ChooseFile, FileColumns } from './entries-file.tsx'
import type { EntriesInput } from './use-entries.ts'

const SHOWN_COUNT = 20

/** Names, one a line or from a file, and below them at once how each line is understood. */
export function EntriesField({ input }: { input: EntriesInput }) {
  const { text, file } = input
  return (
    <div className="grid gap-3">
      {file ? (
        <FileColumns file={file} input={input} />
      ) : (
        <>
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
                onChange={(event) => input.type(event.target.value)}
              />
            )}
          </Field>
          <ChooseFile input={input} />
        </>
      )}
      <EntriesNotes input={input} />
    </div>
  )
}

/** How what was given is understood, line by line. */
export function EntriesNotes({ input }: { input: EntriesInput }) {
  const { text, file, read, leavesOut } = input
  const { refused } = read
  return (
    <>
      <p role="status" className="text-muted text-sm">
        {(file || text.trim() !== '') && summaryOf(read)}
      </p>
      {refused.length > 0 && (
        <div className="grid gap-2 rounded-md border border-critical/50 p-3">
          <Lines
            lines={refused}
            render={(line) => (
              <>
                <Untrusted text={line.text} maxLength={80} clip="silent" />{' '}
                <span className="text-critical">{line.reason}</span>
              </>
            )}
          />
          <Checkbox isChecked={leavesOut} onChange={input.setLeavesOut}>
            Leave out {refused.length === 1 ? 'this line' : `these ${count(refused.length)} lines`}
          </Checkbox>
        </div>
      )}
      {read.repeated.length > 0 && (
        <Details title="Repeated lines">
          <Lines
            lines={read.repeated}
            render={({ name }) => <Untrusted text={name} maxLength={80} clip="silent" isRaw />}
          />
        </Details>
      )}
      {read.reduced.length > 0 && (
        <Details title={`${countOf(read.reduced.length, 'address', 'addresses')} reduced to the domain`}>
          <Lines
            lines={read.reduced}
            render={(line) => (
              <>
                <Untrusted text={line.text} maxLength={80} clip="silent" isRaw /> → {line.domain}
              </>
            )}
          />
        </Details>
      )}
    </>
  )
}

function summaryOf({ entries, refused, repeated }: ReadEntries): string {
  return [
    `${countOf(entries.length, 'entry', 'entries')} understood`,
    refused.length > 0 && `${countOf(refused.length, 'line')} refused`,
    repeated.length > 0 && `${countOf(repeated.length, 'repeated line')} left out`,
  ]
    .filter(Boolean)
    .join(', ')
}

function Details({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="text-sm">
      <summary className="cursor-pointer text-muted">{title}</summary>
      <div className="pt-2">{children}</div>
    </details>
  )
}

type LinesProps<Line> = { lines: readonly Line[]; render(line: Line): ReactNode }

/** The first of many lines, by their numbers. */
function Lines<Line extends { line: number }>({ lines, render }: LinesProps<Line>) {
  return (
    <>
      <ul className="grid gap-1 text-sm">
        {lines.slice(0, SHOWN_COUNT).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line may be there twice, and the list is not reordered
          <li key={at} className="wrap-anywhere">
            <span className="text-muted">Line {count(line.line)}: </span>
            {render(line)}
          </li>
        ))}
      </ul>
      {lines.length > SHOWN_COUNT && (
        <p className="text-muted text-sm">And {count(lines.length - SHOWN_COUNT)} more.</p>
      )}
    </>
  )
}
