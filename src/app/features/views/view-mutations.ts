import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { sendJson, sendProved } from '#app/api/send-json.ts'
import { sendOnce } from '#app/ui/send-once.ts'
import { type View, type ViewChange, type ViewDraft, viewFeedSchema, viewSchema } from '#contract/bff/view.ts'
import { viewsKey } from './view-options.ts'

const nothingSchema = z.undefined()

/** Changes to views. After each one the list is read again, also if it was refused. */
export function viewMutations(queryClient: QueryClient) {
  const onSettled = () => queryClient.invalidateQueries({ queryKey: viewsKey })
  return {
    create: mutationOptions({
      mutationFn: async ({ draft, isDefault }: { draft: ViewDraft; isDefault: boolean }) => {
        const view = await sendOnce(draft, (body) => sendJson('views', viewSchema, { body }))
        if (isDefault) await setDefault(view.id)
        return view
      },
      onSettled,
    }),
    change: mutationOptions({
      mutationFn: async ({ view, change, isDefault = view.isDefault }: ChangeRequest) => {
        if (isDefault !== view.isDefault) await setDefault(isDefault ? view.id : null)
        if (!change) return view
        return sendJson(`views/${view.id}`, viewSchema, { method: 'PUT', body: change })
      },
      onSettled,
    }),
    remove: mutationOptions({
      mutationFn: (id: string) => sendJson(`views/${id}`, nothingSchema, { method: 'DELETE' }),
      onSettled,
    }),
    openFeed: mutationOptions({
      mutationFn: (id: string) => sendProved(`views/${id}/feed`, viewFeedSchema, {}),
      onSettled,
    }),
    closeFeed: mutationOptions({
      mutationFn: (id: string) => sendJson(`views/${id}/feed`, nothingSchema, { method: 'DELETE' }),
      onSettled,
    }),
  }
}

type ChangeRequest = {
  view: View
  /** None for a view of somebody else. */
  change: ViewChange | null
  isDefault?: boolean
}

function setDefault(id: string | null) {
  return sendJson('views/default', nothingSchema, { method: 'PUT', body: { id } })
}
