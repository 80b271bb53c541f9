import { useMutation } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { toCsv } from '#app/format/csv.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { saveFile } from '#app/ui/save-file.ts'
import { entryPageSchema, type ListEntry } from '#contract/bff/list.ts'

const HEADS = ['Name', 'Domains', 'Note', 'Reference', 'Weight']

/** Saves all entries of a list as CSV, with heads by which **Choose a CSV file** reads them again. */
export function ExportEntries({ id }: { id: string }) {
  const save = useMutation({
    mutationFn: async () => {
      const rows = (await readAll(id)).map(({ name, domains, note, key, weight }) => [
        name,
        domains.join(', '),
        note,
        key,
        weight,
      ])
      saveFile(new Blob([toCsv([HEADS, ...rows])], { type: 'text/csv' }), 'lantern-list.csv')
    },
  })
  return (
    <>
      <Button size="small" icon="download" isBusy={save.isPending} onClick={() => save.mutate()}>
        Export CSV
      </Button>
      <ActionError error={save.error} not="exported" />
    </>
  )
}

/** Each entry once, also if the list changes while its pages are read. */
async function readAll(id: string): Promise<ListEntry[]> {
  const entries = new Map<string, ListEntry>()
  let offset = 0
  for (;;) {
    const page = await getJson(`lists/${id}/entries`, entryPageSchema, { query: { offset } })
    for (const entry of page.entries) entries.set(entry.id, entry)
    offset += page.entries.length
    if (page.entries.length === 0 || offset >= page.total) return [...entries.values()]
  }
}
