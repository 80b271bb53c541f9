import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import { openLines } from '#app/api/open-stream.ts'
import { count } from '#app/format/count.ts'
import { explainError } from '#app/ui/action-error.tsx'
import { createBrowserStore } from '#app/ui/browser-store.ts'
import { EXPORT_FORMATS, ExportForm } from '#app/ui/export/export-form.tsx'
import { saveFile } from '#app/ui/save-file.ts'
import { type ExportQuery, exportLineSchema } from '#contract/bff/threat-export.ts'
import { THREAT_COLUMNS } from './threat-columns.ts'
import { writeExport } from './write-export.ts'

const DEFAULT_COLUMNS = THREAT_COLUMNS.map(({ id }) => id).filter((id) => id !== 'redacted')

const choiceSchema = z.object({
  format: z.catch(z.enum(EXPORT_FORMATS), 'csv'),
  columns: z.catch(
    z.array(z.enum(THREAT_COLUMNS.map(({ id }) => id))).check(z.minLength(1)),
    DEFAULT_COLUMNS,
  ),
})

/** The choices of the last export in this browser. */
const choiceStore = createBrowserStore({
  key: 'lantern.export',
  schema: choiceSchema,
  fallback: choiceSchema.parse({}),
})

type ThreatExportDialogProps = {
  /** The export contains what the feed lists for this filter. */
  query: ExportQuery
  onClose(): void
}

/** Saves all threats that a query finds as a file: from the stored threats, free. */
export function ThreatExportDialog({ query, onClose }: ThreatExportDialogProps) {
  const [choice, setChoice] = useState(choiceStore.read)
  const [progress, setProgress] = useState({ done: 0, total: 0 })
  const stopping = useRef<AbortController>(null)
  const exporting = useMutation({
    async mutationFn() {
      stopping.current = new AbortController()
      setProgress({ done: 0, total: 0 })
      choiceStore.write(choice)
      const { signal } = stopping.current
      const lines = openLines('exports/threats', exportLineSchema, { query, signal })
      const written = await writeExport(lines, {
        ...choice,
        question: query,
        origin: location.origin,
        onProgress: (done, total) => setProgress({ done, total }),
      })
      signal.throwIfAborted()
      saveFile(written.file, written.name)
      return written
    },
  })
  const close = () => {
    stopping.current?.abort()
    onClose()
  }

  return (
    <ExportForm
      nouns={['claim', 'claims']}
      formats={EXPORT_FORMATS}
      columns={THREAT_COLUMNS}
      choice={choice}
      isBusy={exporting.isPending}
      progress={
        exporting.isPending &&
        (progress.total > 0
          ? `${count(progress.done)} of ${count(progress.total)} claims…`
          : 'Counting the claims…')
      }
      error={
        exporting.error && `${explainError(exporting.error).message}. ${explainError(exporting.error).detail}`
      }
      saved={exporting.data}
      onChoose={setChoice}
      onExport={() => exporting.mutate()}
      onClose={close}
    />
  )
}
