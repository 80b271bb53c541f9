import * as z from 'zod/mini'
import { KNOWN_CATEGORIES } from '#contract/category.ts'
import type { Database } from '#database/database.ts'
import { onlyColumn, readRows } from '#database/read-rows.ts'
import type { Access } from '#service/access.ts'
import { ServiceError } from '#service/errors/service-error.ts'

const KNOWN: readonly string[] = KNOWN_CATEGORIES

/** Refuses a category that is neither one of the known ones nor one of a record that the key may see. */
export async function requireCategories(
  db: Database,
  access: Access,
  { name, categories }: { name: string; categories: readonly string[] },
): Promise<void> {
  if (categories.every((category) => KNOWN.includes(category))) return

  const permitted = await listPermittedCategories(db, access)
  if (categories.every((category) => permitted.includes(category))) return
  throw new ServiceError(400, `Invalid category in "${name}"; permitted: ${permitted.join(', ')}`)
}

/** The known categories, then those that records brought along, by name. */
async function listPermittedCategories(db: Database, { since, isRedacted }: Access): Promise<string[]> {
  const rows = await readRows(db, onlyColumn(z.string()), [since, isRedacted])`
    select distinct category
      from visible_tally($1, $2)
     where country = '' and facet = 'record'
     order by category`
  return [...new Set([...KNOWN, ...rows])]
}
