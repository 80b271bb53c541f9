import { csvLine, toCsv } from '#app/format/csv.ts'
import {
  type ExportFormat,
  exportFileName,
  MEDIA_TYPES,
  type SavedFile,
} from '#app/ui/export/export-form.tsx'
import type { ExportedThreat, ExportLine } from '#contract/bff/threat-export.ts'
import { THREAT_COLUMNS } from './threat-columns.ts'
import { createStixWriter } from './to-stix.ts'

type WriteExportOptions = {
  format: ExportFormat
  /** Ids of THREAT_COLUMNS, for a CSV. */
  columns: readonly string[]
  /** The filter as text for people. The JSON file contains it. */
  question: Readonly<Record<string, unknown>>
  origin: string
  onProgress(done: number, total: number): void
}
type WrittenExport = SavedFile & { file: Blob }

type Head = Extract<ExportLine, { head: unknown }>['head']
type Writer = {
  begin(head: Head): string
  write(threat: ExportedThreat): string | Promise<string>
  end(partialReason: string | null): string
}

/** Reads an export and makes the file of it. One that was cut off, or that the server says is partial, is named so. */
export async function writeExport(
  lines: AsyncIterable<ExportLine>,
  options: WriteExportOptions,
): Promise<WrittenExport> {
  const parts: string[] = []
  let head: Head | null = null
  let writer: Writer | null = null
  let threats = 0
  let isWhole = false
  try {
    for await (const line of lines) {
      if ('head' in line) {
        head = line.head
        writer = createWriter(head, options)
        parts.push(writer.begin(head))
      } else if ('end' in line) {
        isWhole = line.end.threats === threats
      } else if (writer && head) {
        parts.push(await writer.write(line.threat))
        threats += 1
        if (threats % 500 === 0) options.onProgress(threats, head.total)
      }
    }
  } catch (error) {
    // A partial export is useful and is marked as partial. An empty one is a failure.
    if (!head || threats === 0) throw error
  }
  if (!head || !writer) throw new Error('The export did not begin')
  const partialReason = isWhole ? head.partialReason : 'The connection was cut: the rest is missing.'
  parts.push(writer.end(partialReason))
  return {
    file: new Blob(parts, { type: MEDIA_TYPES[options.format] }),
    name: exportFileName({
      noun: 'threats',
      exportedAt: head.exportedAt,
      format: options.format,
      isPartial: partialReason !== null,
    }),
    count: threats,
    partialReason,
  }
}

function createWriter(head: Head, { format, columns, question, origin }: WriteExportOptions): Writer {
  if (format === 'csv') {
    const chosen = THREAT_COLUMNS.filter(({ id }) => columns.includes(id))
    return {
      begin: () => toCsv([chosen.map(({ label }) => label)]),
      write: (threat) => csvLine(chosen.map(({ read }) => read(threat, origin))),
      end: () => '',
    }
  }
  if (format === 'json') {
    const about = {
      exportedAt: head.exportedAt,
      coverage: head.coverage,
      checked: head.checked,
      question,
    }
    let separator = ''
    return {
      begin: () => `${JSON.stringify(about).slice(0, -1)},"threats":[`,
      write(threat) {
        const text = `${separator}\n${JSON.stringify(threat)}`
        separator = ','
        return text
      },
      end: (partialReason) => `\n],"partialReason":${JSON.stringify(partialReason)}}\n`,
    }
  }
  const toObjects = createStixWriter({ origin, exportedAt: head.exportedAt })
  let separator = ''
  return {
    begin: () => `{"type":"bundle","id":"bundle--${crypto.randomUUID()}","objects":[`,
    async write(threat) {
      let text = ''
      for (const object of await toObjects(threat)) {
        text += `${separator}\n${JSON.stringify(object)}`
        separator = ','
      }
      return text
    },
    end: () => '\n]}\n',
  }
}
