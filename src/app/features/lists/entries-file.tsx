import { type DragEvent, useRef } from 'react'
import { countOf } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/checkbox.tsx'
import { SelectField } from '#app/ui/field.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { COLUMN_USES, type ColumnUse, changeUse } from './column-uses.ts'
import type { EntriesInput, EntryFile } from './use-entries.ts'

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
export function ChooseFile({ input: { chooseFile, fileFault } }: { input: EntriesInput }) {
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
export function FileColumns({ file, input: { changeColumns, removeFile } }: FileColumnsProps) {
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
