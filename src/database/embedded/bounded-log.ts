import { appendFileSync, renameSync, statSync } from 'node:fs'

const MAX_BYTES = 5_000_000

/** Appends to a file that, once full, is kept as `.1` and begun anew: two files of limited size at most. */
export function createBoundedLog(file: string, maxBytes = MAX_BYTES): (chunk: Buffer) => void {
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return (chunk) => {
    try {
      if (size + chunk.length > maxBytes && size > 0) {
        renameSync(file, `${file}.1`)
        size = 0
      }
      appendFileSync(file, chunk, { mode: 0o600 })
      size += chunk.length
    } catch (error) {
      // A log that cannot be written must not stop what it logs.
      console.error(`database: ${file} cannot be written: ${error instanceof Error ? error.message : error}`)
    }
  }
}
