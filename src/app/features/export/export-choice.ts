import * as z from 'zod/mini'
import { EXPORT_FORMATS } from '#app/ui/export/export-format.ts'
import { THREAT_COLUMNS } from './threat-columns.ts'

const STORAGE_KEY = 'lantern.export'
const DEFAULT_COLUMNS = THREAT_COLUMNS.map(({ id }) => id).filter((id) => id !== 'redacted')

const choiceSchema = z.object({
  format: z.catch(z.enum(EXPORT_FORMATS), 'csv'),
  columns: z.catch(
    z.array(z.enum(THREAT_COLUMNS.map(({ id }) => id))).check(z.minLength(1)),
    DEFAULT_COLUMNS,
  ),
})
export type ExportChoice = z.infer<typeof choiceSchema>

/** What was exported last in this browser. */
export function readExportChoice(): ExportChoice {
  try {
    return choiceSchema.parse(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}'))
  } catch {
    return choiceSchema.parse({})
  }
}

export function keepExportChoice(choice: ExportChoice): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(choice))
  } catch {
    // A browser that forbids storage begins with the defaults each time.
  }
}
