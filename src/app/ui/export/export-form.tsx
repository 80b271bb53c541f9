import type { ReactNode } from 'react'
import { countOf } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'

export const EXPORT_FORMATS = ['csv', 'json', 'stix'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv;charset=utf-8',
  json: 'application/json',
  stix: 'application/stix+json;version=2.1',
}

type ExportNameParts = { noun: string; exportedAt: string; format: ExportFormat; isPartial: boolean }

/** `lantern-threats-20261121T1235Z-partial.csv` */
export function exportFileName({ noun, exportedAt, format, isPartial }: ExportNameParts): string {
  const time = `${exportedAt.slice(0, 16).replaceAll(/[-:]/g, '')}Z`
  const ending = format === 'stix' ? 'stix.json' : format
  return `lantern-${noun}-${time}${isPartial ? '-partial' : ''}.${ending}`
}

/** Report of a written file, shown below the form. */
export type SavedFile = { name: string; count: number; partialReason: string | null }

type ExportFormProps<Format extends ExportFormat> = {
  /** One of what is saved, and several. */
  nouns: readonly [one: string, many: string]
  formats: readonly Format[]
  /** Columns of a CSV file. */
  columns: readonly { id: string; label: string }[]
  choice: { format: Format; columns: string[] }
  isBusy?: boolean
  progress?: ReactNode
  error?: string | null
  saved: SavedFile | undefined
  onChoose(choice: { format: Format; columns: string[] }): void
  onExport(): void
  onClose(): void
}

/** Asks in which form a list is to be saved, and says what was saved. */
export function ExportForm<Format extends ExportFormat>(props: ExportFormProps<Format>) {
  const { nouns, formats, columns, choice, isBusy = false, progress, error, saved } = props
  const { onChoose, onExport, onClose } = props
  return (
    <Dialog isOpen title={`Export ${nouns[1]}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onExport()
        }}
        className="flex flex-col gap-4"
      >
        <FormatChoice
          formats={formats}
          value={choice.format}
          onChange={(format) => onChoose({ ...choice, format })}
        />
        {choice.format === 'csv' && (
          <ColumnChoice
            columns={columns}
            values={choice.columns}
            onChange={(chosen) => onChoose({ ...choice, columns: chosen })}
          />
        )}
        <div role="status" className="text-muted empty:hidden">
          {progress}
          {saved && (
            <>
              <p className="text-ink">
                Saved {countOf(saved.count, ...nouns)} as {saved.name}.
              </p>
              {saved.partialReason && (
                <p className="text-medium">The file is partial. {saved.partialReason}</p>
              )}
            </>
          )}
        </div>
        {error && (
          <p role="alert" className="text-critical">
            {error}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{saved ? 'Close' : 'Cancel'}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            Export
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type ColumnChoiceProps = {
  columns: readonly { id: string; label: string }[]
  values: readonly string[]
  onChange(columns: string[]): void
}

/** At least one stays chosen: a file without columns is none. */
function ColumnChoice({ columns, values, onChange }: ColumnChoiceProps) {
  const toggle = (id: string) => {
    const chosen = columns
      .map((column) => column.id)
      .filter((other) => (other === id ? !values.includes(id) : values.includes(other)))
    if (chosen.length > 0) onChange(chosen)
  }
  return (
    <fieldset>
      <legend className="mb-1 font-medium">Columns</legend>
      <div className="grid grid-cols-2 gap-x-4">
        {columns.map(({ id, label }) => (
          <label
            key={id}
            className="flex cursor-pointer items-center gap-2 rounded-md px-2 py-1 hover:bg-hover"
          >
            <input
              type="checkbox"
              checked={values.includes(id)}
              onChange={() => toggle(id)}
              className="accent-accent"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const DESCRIPTIONS: Readonly<Record<ExportFormat, { label: string; hint: string }>> = {
  csv: {
    label: 'CSV',
    hint: 'For spreadsheets and reports. Addresses are defanged; no cell is run as a formula.',
  },
  json: { label: 'JSON', hint: 'For programs. Records as they are: addresses are live.' },
  stix: { label: 'STIX 2.1', hint: 'For threat-intelligence platforms. Addresses are live.' },
}

type FormatChoiceProps<Format extends ExportFormat> = {
  formats: readonly Format[]
  value: Format
  onChange(format: Format): void
}

function FormatChoice<Format extends ExportFormat>({ formats, value, onChange }: FormatChoiceProps<Format>) {
  return (
    <fieldset>
      <legend className="mb-1 font-medium">Format</legend>
      {formats.map((format) => (
        <label key={format} className="flex cursor-pointer gap-2 rounded-md px-2 py-1.5 hover:bg-hover">
          <input
            type="radio"
            name="format"
            checked={value === format}
            onChange={() => onChange(format)}
            className="mt-0.5 accent-accent"
          />
          <span>
            <span className="font-medium">{DESCRIPTIONS[format].label}</span>
            <span className="block text-muted text-xs">{DESCRIPTIONS[format].hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
