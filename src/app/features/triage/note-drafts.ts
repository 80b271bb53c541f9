import * as z from 'zod/mini'
import { createBrowserStore } from '#app/ui/browser-store.ts'

const draftsSchema = z.array(z.object({ ids: z.string(), text: z.string() }))

const KEPT_DRAFTS = 20

/** A note on these threats that is being written, in this tab and for this account alone: it outlives a reload and a sign-out. */
export function createNoteDrafts(userId: string, threatIds: readonly string[]) {
  const ids = JSON.stringify(threatIds)
  const store = createBrowserStore({
    key: `lantern.note-drafts.${userId}`,
    schema: draftsSchema,
    fallback: [],
    lifetime: 'session',
  })
  return {
    read: () => store.read().find((kept) => kept.ids === ids)?.text ?? '',
    keep(text: string) {
      const others = store.read().filter((kept) => kept.ids !== ids)
      store.write(text === '' ? others : [...others.slice(1 - KEPT_DRAFTS), { ids, text }])
    },
  }
}
