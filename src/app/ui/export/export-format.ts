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
