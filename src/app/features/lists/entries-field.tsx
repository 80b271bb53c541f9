import { type DragEvent, type ReactNode, useRef } from 'react'
import { count, countOf } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/checkbox.tsx'
import { CONTROL, Field, SelectField } from '#app/ui/field.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { ReadEntries } from './collect-entries.ts'
import { COLUMN_USES, type ColumnUse, changeUse } from './column-uses.ts'
import type { EntriesInput, EntryFile } from './use-entries.ts'

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

const USE_LABELS: Readonly<Record<ColumnUse, string>> = {
  none: 'Not used',
  name: 'Name',
  domain: 'Domains',
  note: 'Note',
  key: 'Reference',
  weight: 'Weight',
}
const SAMPLES_COUNT = 3

/** Takes a CSV file by a button or by drag and drop. The browser reads it: nothing is sent. */
function ChooseFile({ input: { chooseFile, fileFault } }: { input: EntriesInput }) {
  const picker = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    const [dropped] = event.dataTransfer.files
    if (dropped) chooseFile(dropped)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard
    <div
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-line border-dashed p-3"
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <input
        ref={picker}
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        aria-label="CSV file"
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          const [chosen] = target.files ?? []
          if (chosen) chooseFile(chosen)
          // The same file can be chosen again once it was corrected.
          target.value = ''
        }}
      />
      <Button size="small" onClick={() => picker.current?.click()}>
        Choose a CSV file
      </Button>
      <span className="text-muted text-xs">Or drop it here. Only your browser reads it.</span>
      {fileFault && (
        <p role="alert" className="w-full text-critical text-sm">
          {fileFault}
        </p>
      )}
    </div>
  )
}

type FileColumnsProps = { file: EntryFile; input: EntriesInput }

/** How each column of a file is understood, with samples. The user can change it. */
function FileColumns({ file, input: { changeColumns, removeFile } }: FileColumnsProps) {
  const { uses, hasHead } = file.columns
  const body = file.rows.slice(hasHead ? 1 : 0)
  return (
    <div className="grid gap-3 rounded-md border border-line p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 wrap-anywhere font-medium">
          <Untrusted text={file.name} maxLength={80} clip="silent" isRaw />
        </span>
        <span className="text-muted text-xs">
          {countOf(file.rows.length, 'row')}, read as {file.encoding}
        </span>
        <Button size="small" className="ml-auto" onClick={removeFile}>
          Remove file
        </Button>
      </div>
      <Checkbox isChecked={hasHead} onChange={(isHead) => changeColumns({ uses, hasHead: isHead })}>
        The first row names the columns
      </Checkbox>
      <ul aria-label="Columns" className="grid max-h-96 gap-2 overflow-y-auto">
        {uses.map((use, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its position
          <li key={at} className="grid items-center gap-x-3 gap-y-1 sm:grid-cols-[10rem_minmax(0,1fr)]">
            <SelectField
              label={`Column ${at + 1}`}
              value={use}
              onChange={({ target }) => {
                const chosen = COLUMN_USES.find((each) => each === target.value) ?? 'none'
                changeColumns({ hasHead, uses: changeUse(uses, at, chosen) })
              }}
            >
              {COLUMN_USES.map((each) => (
                <option key={each} value={each}>
                  {USE_LABELS[each]}
                </option>
              ))}
            </SelectField>
            <span className="wrap-anywhere text-muted text-xs">
              {hasHead && (
                <strong className="block font-medium text-ink">
                  <Untrusted text={file.rows[0]?.[at] ?? ''} maxLength={60} clip="silent" isRaw />
                </strong>
              )}
              <Untrusted text={samplesOf(body, at)} maxLength={120} clip="silent" isRaw />
            </span>
          </li>
        ))}
      </ul>
      {uses.includes('weight') && (
        <p className="text-muted text-xs">
          “Critical” and “high” in the column of weights make an entry critical. Other words make it normal.
        </p>
      )}
    </div>
  )
}

function samplesOf(rows: readonly string[][], column: number): string {
  return rows
    .slice(0, 20)
    .flatMap((row) => row[column]?.trim() || [])
    .slice(0, SAMPLES_COUNT)
    .join(' · ')
}
