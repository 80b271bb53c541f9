import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { openLines } from '#app/api/open-lines.ts'
import { count, countOf } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { explainError } from '#app/ui/explain-error.ts'
import { saveFile } from '#app/ui/save-file.ts'
import { type ExportQuery, exportLineSchema } from '#contract/bff/threat-export.ts'
import { ColumnChoice } from './column-choice.tsx'
import { keepExportChoice, readExportChoice } from './export-choice.ts'
import { FormatChoice } from './format-choice.tsx'
import { writeExport } from './write-export.ts'

type ExportDialogProps = {
  /** The feed's question: what is exported is what it lists. */
  question: ExportQuery
  onClose(): void
}

/** Saves all threats of a question as a file, from Lantern's own window: it costs no call. */
export function ExportDialog({ question, onClose }: ExportDialogProps) {
  const [choice, setChoice] = useState(readExportChoice)
  const [progress, setProgress] = useState({ done: 0, total: 0 })
  const stopping = useRef<AbortController>(null)
  const exporting = useMutation({
    async mutationFn() {
      stopping.current = new AbortController()
      setProgress({ done: 0, total: 0 })
      keepExportChoice(choice)
      const { signal } = stopping.current
      const lines = openLines('exports/threats', exportLineSchema, { query: question, signal })
      const written = await writeExport(lines, {
        ...choice,
        question,
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
    <Dialog isOpen title="Export threats" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          exporting.mutate()
        }}
        className="flex flex-col gap-4"
      >
        <FormatChoice value={choice.format} onChange={(format) => setChoice({ ...choice, format })} />
        {choice.format === 'csv' && (
          <ColumnChoice values={choice.columns} onChange={(columns) => setChoice({ ...choice, columns })} />
        )}
        <div role="status" className="text-muted empty:hidden">
          {exporting.isPending &&
            progress.total > 0 &&
            `${count(progress.done)} of ${count(progress.total)} …`}
          {exporting.isSuccess && (
            <>
              <p className="text-ink">
                Saved {countOf(exporting.data.threats, 'threat')} as {exporting.data.name}.
              </p>
              {exporting.data.partialReason && (
                <p className="text-medium">The file is partial. {exporting.data.partialReason}</p>
              )}
            </>
          )}
        </div>
        {exporting.isError && (
          <p role="alert" className="text-critical">
            {explainError(exporting.error).message}. {explainError(exporting.error).detail}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={close}>{exporting.isSuccess ? 'Close' : 'Cancel'}</Button>
          <Button type="submit" variant="primary" isBusy={exporting.isPending}>
            Export
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
