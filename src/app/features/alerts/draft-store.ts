import * as z from 'zod/mini'
import { createBrowserStore } from '#app/ui/browser-store.ts'
import { type StoredDraft, storedDraftSchema } from './builder-draft.ts'

const storeSchema = z.object({
  /** Drafts being written, by the address of the builder that they were begun at. */
  drafts: z.array(z.object({ key: z.string(), draft: storedDraftSchema })),
})

const KEPT_DRAFTS = 10

/** Drafts of this browser tab and of one account: another in the same tab sees none of them. Webhooks never come here. */
export function createDraftStore(userId: string) {
  const { read, write } = createBrowserStore({
    // Another name than before: drafts of then do not say which destinations the profile keeps.
    key: `lantern.profile-drafts.${userId}`,
    schema: storeSchema,
    fallback: { drafts: [] },
    lifetime: 'session',
  })
  return {
    draftOf: (key: string): StoredDraft | null =>
      read().drafts.find((kept) => kept.key === key)?.draft ?? null,
    keep(key: string, draft: StoredDraft) {
      const others = read()
        .drafts.filter((kept) => kept.key !== key)
        .slice(1 - KEPT_DRAFTS)
      write({ drafts: [...others, { key, draft }] })
    },
    forget(key: string) {
      write({ drafts: read().drafts.filter((kept) => kept.key !== key) })
    },
  }
}
export type DraftStore = ReturnType<typeof createDraftStore>
