import * as z from 'zod/mini'
import type { StoredDraft } from './builder-draft.ts'

const watchSchema = z.object({
  name: z.string(),
  keywords: z.array(z.string()),
  categories: z.array(z.string()),
})
const draftSchema = z.extend(watchSchema, { email: z.array(z.string()) })
const importedSchema = z.extend(watchSchema, { id: z.string() })
const storeSchema = z.object({
  /** Whose drafts they are: another account in the same tab sees none of them. */
  userId: z.string(),
  /** Drafts being written, by the address of the builder that they were begun at. */
  drafts: z.array(z.object({ key: z.string(), draft: draftSchema })),
  imported: z.array(importedSchema),
})
type Store = z.infer<typeof storeSchema>
export type ImportedDraft = z.infer<typeof importedSchema>

const STORAGE_KEY = 'lantern.alert-drafts'
const KEPT_DRAFTS = 10

/** Drafts of this browser tab. Webhooks never come here. */
export function createDraftStore(userId: string) {
  const read = (): Store => {
    const store = readStore()
    return store?.userId === userId ? store : { userId, drafts: [], imported: [] }
  }
  return {
    draftOf: (key: string): StoredDraft | null =>
      read().drafts.find((kept) => kept.key === key)?.draft ?? null,
    keep(key: string, draft: StoredDraft) {
      const { drafts, ...rest } = read()
      const others = drafts.filter((kept) => kept.key !== key).slice(1 - KEPT_DRAFTS)
      writeStore({ ...rest, drafts: [...others, { key, draft }] })
    },
    forget(key: string) {
      const { drafts, ...rest } = read()
      writeStore({ ...rest, drafts: drafts.filter((kept) => kept.key !== key) })
    },
    imported: () => read().imported,
    replaceImported: (imported: ImportedDraft[]) => writeStore({ ...read(), imported }),
  }
}
export type DraftStore = ReturnType<typeof createDraftStore>

function readStore(): Store | null {
  try {
    return storeSchema.parse(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null'))
  } catch {
    return null
  }
}

function writeStore(store: Store): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(store))
  } catch {
    // A browser that forbids storage, or has none left, keeps drafts until the page is left.
  }
}
