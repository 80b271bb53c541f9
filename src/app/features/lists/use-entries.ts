import { useMemo, useState } from 'react'
import { ApiError } from '#app/api/api-error.ts'
import { countOf } from '#app/format/count.ts'
import { ENTRIES_MAX_COUNT, entryField } from '#contract/bff/list-draft.ts'
import { type ReadEntries, refuseEntries } from './collect-entries.ts'
import { type Columns, guessColumns } from './column-uses.ts'
import { readEntries } from './read-entries.ts'
import { readLines } from './read-lines.ts'

const FILE_MAX_BYTES = 64 * 1024 * 1024

/** A file as it was read in the browser, and how its columns are understood. */
export type EntryFile = { name: string; encoding: string; rows: string[][]; columns: Columns }

/** Entries that somebody types, pastes or reads from a file. Nothing is sent. `readText` reads what is typed. */
export function useEntries(readText: (text: string) => ReadEntries = readLines) {
  const [text, setText] = useState('')
  const [file, setFile] = useState<EntryFile | null>(null)
  const [fileFault, setFileFault] = useState<string | null>(null)
  const [leavesOut, setLeavesOut] = useState(false)
  /** Lines that the server refused of what was `given`. They are shown until something else is given. */
  const [refused, setRefused] = useState<{ given: ReadEntries; read: ReadEntries } | null>(null)
  // Thousands of lines are not read again at each key of another field.
  const given = useMemo(
    () => (file ? readEntries(file.rows, file.columns) : readText(text)),
    [file, text, readText],
  )
  const read = refused?.given === given ? refused.read : given

  const chooseFile = async (chosen: File) => {
    setLeavesOut(false)
    if (chosen.size > FILE_MAX_BYTES) {
      setFileFault('The file is larger than 64 MB. Remove the columns that are not needed.')
      return
    }
    const rows = await readFile(chosen)
    if ('fault' in rows) {
      setFileFault(rows.fault)
      return
    }
    setFileFault(null)
    setFile({ name: chosen.name, columns: guessColumns(rows.rows), ...rows })
  }

  return {
    text,
    file,
    fileFault,
    leavesOut,
    read,
    /** The first thing that keeps the entries from being sent. */
    fault: findFault(read, leavesOut),
    chooseFile,
    setLeavesOut,
    /** Shows the lines of entries that the server refused. Nothing for errors about something else. */
    showRefused(error: unknown) {
      const fields = (error instanceof ApiError && error.problem.fields) || []
      const reasons = new Map(fields.map(({ name, reason }) => [name, reason]))
      const refusing = refuseEntries(read, (at) => reasons.get(entryField(at)))
      if (refusing.entries.length === read.entries.length) return
      setRefused({ given, read: refusing })
      setLeavesOut(false)
    },
    type(typed: string) {
      setText(typed)
      setLeavesOut(false)
    },
    changeColumns(columns: Columns) {
      setFile((before) => before && { ...before, columns })
      setLeavesOut(false)
    },
    clear() {
      setText('')
      setFile(null)
      setFileFault(null)
      setLeavesOut(false)
    },
    /** Pasted lines stay. */
    removeFile() {
      setFile(null)
      setFileFault(null)
      setLeavesOut(false)
    },
  }
}

export type EntriesInput = ReturnType<typeof useEntries>

function findFault({ entries, refused }: ReadEntries, leavesOut: boolean): string | null {
  if (refused.length > 0 && !leavesOut)
    return `${countOf(refused.length, 'line is', 'lines are')} refused. Correct them, or leave them out.`
  if (entries.length === 0) return 'Enter at least one name.'
  if (entries.length > ENTRIES_MAX_COUNT)
    return `A list holds ${countOf(ENTRIES_MAX_COUNT, 'entry', 'entries')} at most. Make two lists.`
  return null
}

/** Few lists come from a file: the parser is loaded with the first one. */
async function readFile(chosen: File) {
  try {
    const { readRows } = await import('./read-rows.ts')
    return readRows(new Uint8Array(await chosen.arrayBuffer()))
  } catch {
    return { fault: 'The file could not be read. It may have moved, or be open elsewhere: choose it again.' }
  }
}
