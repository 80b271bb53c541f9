import type { ExportFormat } from './export-format.ts'

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

export function FormatChoice<Format extends ExportFormat>({
  formats,
  value,
  onChange,
}: FormatChoiceProps<Format>) {
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
