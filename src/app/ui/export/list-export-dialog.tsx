import { useState } from 'react'
import { Dialog } from '#app/ui/dialog.tsx'
import { saveFile } from '#app/ui/save-file.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ExportForm, type SavedFile } from './export-form.tsx'
import { LIST_FORMATS, type List, type ListFormat, writeList } from './write-list.ts'

type PendingExportProps = {
  /** Several rows: `actors`. */
  noun: string
  onClose(): void
}

type ListExportDialogProps<Row> = {
  /** One of the rows: `actor`. */
  one: string
  list: List<Row>
  onClose(): void
}

/** Stands for the dialog of a list until its columns are known. */
export function PendingExport({ noun, onClose }: PendingExportProps) {
  return (
    <Dialog isOpen title={`Export ${noun}`} onClose={onClose}>
      <div role="status" className="grid gap-3">
        <p className="text-muted">Counting what concerns you…</p>
        <Skeleton className="h-24 w-full" />
      </div>
    </Dialog>
  )
}

/** Saves a list that the page has already. */
export function ListExportDialog<Row>({ one, list, onClose }: ListExportDialogProps<Row>) {
  const [choice, setChoice] = useState<{ format: ListFormat; columns: string[] }>({
    format: 'csv',
    columns: list.columns.map(({ id }) => id),
  })
  const [saved, setSaved] = useState<SavedFile>()
  const save = () => {
    const { file, name } = writeList(list, { ...choice, now: new Date() })
    saveFile(file, name)
    setSaved({ name, count: list.rows.length, partialReason: list.partialReason })
  }
  return (
    <ExportForm
      nouns={[one, list.noun]}
      formats={LIST_FORMATS}
      columns={list.columns}
      choice={choice}
      saved={saved}
      onChoose={setChoice}
      onExport={save}
      onClose={onClose}
    />
  )
}
