import { useMutation } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { toCsv } from '#app/format/csv.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { saveFile } from '#app/ui/save-file.ts'
import { entryPageSchema, FIRST_AFTER, type ListEntry } from '#contract/bff/list.ts'

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

/** Each entry once, also if the list changes while its pages are read; by name. */
async function readAll(id: string): Promise<ListEntry[]> {
  const entries: ListEntry[] = []
  for (let after = FIRST_AFTER; ; ) {
    const page = await getJson(`lists/${id}/entries`, entryPageSchema, { query: { after } })
    entries.push(...page.entries)
    const last = page.entries.at(-1)
    if (!last || page.entries.length === page.total) break
    after = last.id
  }
  return entries.sort((one, other) => one.name.localeCompare(other.name))
}
