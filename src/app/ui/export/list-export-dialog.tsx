import { useState } from 'react'
import { saveFile } from '#app/ui/save-file.ts'
import { ExportForm, type SavedFile } from './export-form.tsx'
import { LIST_FORMATS, type List, type ListFormat, writeList } from './write-list.ts'

type ListExportDialogProps<Row> = {
  /** One of the rows: `actor`. */
  one: string
  list: List<Row>
  onClose(): void
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
