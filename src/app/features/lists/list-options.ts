import { keepPreviousData, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import { sendOnce } from '#app/ui/send-once.ts'
import {
  entryPageSchema,
  type MatchChoice,
  matchPageSchema,
  type NameList,
  nameListSchema,
  nameListsSchema,
} from '#contract/bff/list.ts'
import {
  type EntryDraft,
  entriesAddedSchema,
  type ListChange,
  type NewList,
} from '#contract/bff/list-draft.ts'
import type { MatchDecision } from '#contract/bff/list-match.ts'
import { foldValue } from '#matcher/normalise-text.ts'
import { writeValue } from '#matcher/query/print-query.ts'

/** The prefix of every key of lists: a live event invalidates it when something was changed or matched. */
const listsKey = ['lists'] as const
const nothingSchema = z.undefined()

export function listsOptions() {
  return queryOptions({
    queryKey: [...listsKey, 'all'],
    queryFn: ({ signal }) => getJson('lists', nameListsSchema, { signal }),
  })
}

export function listOptions(id: string) {
  return queryOptions({
    queryKey: [...listsKey, 'one', id],
    queryFn: ({ signal }) => getJson(`lists/${id}`, nameListSchema, { signal }),
  })
}

export function entriesOptions(id: string, query: { q: string | undefined; offset: number }) {
  return queryOptions({
    queryKey: [...listsKey, 'entries', id, query],
    queryFn: ({ signal }) => getJson(`lists/${id}/entries`, entryPageSchema, { query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** One entry of a list. Null if the list does not have it any more. */
export function entryOptions(id: string, entry: string) {
  return queryOptions({
    queryKey: [...listsKey, 'entry', id, entry],
    queryFn: async ({ signal }) => {
      const page = await getJson(`lists/${id}/entries`, entryPageSchema, { query: { entry }, signal })
      return page.entries.at(0) ?? null
    },
  })
}

/** The list of the user's own organisation: their own rather than the team's. */
export function findOwnList(lists: readonly NameList[]): NameList | undefined {
  const own = lists.filter(({ kind }) => kind === 'own')
  return own.find(({ owner }) => owner.isMe) ?? own[0]
}

type NamedList = { id: string; name: string }

/**
 * The search for what a list matches. It names the list by its id if several of `lists`, which the reader sees, have the
 * name, and while these are not known.
 */
export function searchOfList({ id, name }: NamedList, lists: readonly NamedList[] | undefined): string {
  const folded = foldValue(name)
  const isAmbiguous = (other: NamedList) =>
    other.id !== id && (foldValue(other.name) === folded || other.id === name.toLowerCase())
  return `list:${!lists || lists.some(isAmbiguous) ? id : writeValue(name)}`
}

type MatchesQuery = { entry?: string | undefined; show: MatchChoice; offset: number }

export function matchesOptions(id: string, query: MatchesQuery) {
  return queryOptions({
    queryKey: [...listsKey, 'matches', id, query],
    queryFn: ({ signal }) => getJson(`lists/${id}/matches`, matchPageSchema, { query, signal }),
    placeholderData: keepPreviousData,
  })
}

type Decided = { threatId: string; entryId: string; decision: MatchDecision | null }

/** Changes to lists. After each one they are read again, also if it was refused. */
export function listMutations(queryClient: QueryClient) {
  const onSettled = () => queryClient.invalidateQueries({ queryKey: listsKey })
  return {
    create: mutationOptions({
      mutationFn: (draft: Omit<NewList, 'idempotencyKey'>) =>
        sendOnce(draft, (body) => sendJson('lists', nameListSchema, { body })),
      onSettled,
    }),
    change: mutationOptions({
      mutationFn: ({ id, ...body }: ListChange & { id: string }) =>
        sendJson(`lists/${id}`, nameListSchema, { method: 'PUT', body }),
      onSettled,
    }),
    remove: mutationOptions({
      mutationFn: (id: string) => sendJson(`lists/${id}`, nothingSchema, { method: 'DELETE' }),
      onSettled,
    }),
    addEntries: mutationOptions({
      mutationFn: ({ id, entries }: { id: string; entries: EntryDraft[] }) =>
        sendJson(`lists/${id}/entries`, entriesAddedSchema, { body: { entries } }),
      onSettled,
    }),
    changeEntry: mutationOptions({
      mutationFn: ({ id, entryId, draft }: { id: string; entryId: string; draft: EntryDraft }) =>
        sendJson(`lists/${id}/entries/${entryId}`, nothingSchema, { method: 'PUT', body: draft }),
      onSettled,
    }),
    removeEntry: mutationOptions({
      mutationFn: ({ id, entryId }: { id: string; entryId: string }) =>
        sendJson(`lists/${id}/entries/${entryId}`, nothingSchema, { method: 'DELETE' }),
      onSettled,
    }),
    decide: mutationOptions({
      mutationFn: ({ id, ...body }: Decided & { id: string }) =>
        sendJson(`lists/${id}/decisions`, nothingSchema, { method: 'PUT', body }),
      onSettled,
    }),
  }
}
