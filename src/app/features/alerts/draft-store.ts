import * as z from 'zod/mini'
import { createBrowserStore } from '#app/ui/browser-store.ts'
import type { StoredDraft } from './builder-draft.ts'

const watchSchema = z.object({
  name: z.string(),
  keywords: z.array(z.string()),
  categories: z.array(z.string()),
})
const draftSchema = z.extend(watchSchema, { email: z.array(z.string()) })
const importedSchema = z.extend(watchSchema, { id: z.string() })
const storeSchema = z.object({
  /** Drafts being written, by the address of the builder that they were begun at. */
  drafts: z.array(z.object({ key: z.string(), draft: draftSchema })),
  imported: z.array(importedSchema),
})
export type ImportedDraft = z.infer<typeof importedSchema>

const KEPT_DRAFTS = 10

/** Drafts of this browser tab and of one account: another in the same tab sees none of them. Webhooks never come here. */
export function createDraftStore(userId: string) {
  const { read, write } = createBrowserStore({
    key: `lantern.alert-drafts.${userId}`,
    schema: storeSchema,
    fallback: { drafts: [], imported: [] },
    lifetime: 'session',
  })
  return {
    draftOf: (key: string): StoredDraft | null =>
      read().drafts.find((kept) => kept.key === key)?.draft ?? null,
    keep(key: string, draft: StoredDraft) {
      const { drafts, ...rest } = read()
      const others = drafts.filter((kept) => kept.key !== key).slice(1 - KEPT_DRAFTS)
      write({ ...rest, drafts: [...others, { key, draft }] })
    },
    forget(key: string) {
      const { drafts, ...rest } = read()
      write({ ...rest, drafts: drafts.filter((kept) => kept.key !== key) })
    },
    imported: () => read().imported,
    replaceImported: (imported: ImportedDraft[]) => write({ ...read(), imported }),
  }
}
export type DraftStore = ReturnType<typeof createDraftStore>
