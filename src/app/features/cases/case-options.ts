import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import { type CaseAction, caseAnswerSchema, caseChangeSchema, joinPreviewSchema } from '#contract/bff/case.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'

/** The prefix of every key of cases: a live event invalidates it when claims were joined or divided. */
const casesKey = ['cases'] as const

const STALE_MS = 60_000

/** The case of a threat, as far as claims are compared. */
export function caseOptions(threatId: string) {
  return queryOptions({
    queryKey: [...casesKey, 'of', threatId],
    queryFn: ({ signal }) => getJson(`threats/${pathSegment(threatId)}/case`, caseAnswerSchema, { signal }),
    staleTime: STALE_MS,
  })
}

/** The cases of some threats, before they are joined. It is a POST because the ids are too long for an address. */
export function joinPreviewOptions(threatIds: readonly string[]) {
  return queryOptions({
    queryKey: [...casesKey, 'preview', threatIds],
    queryFn: ({ signal }) => sendJson('cases/preview', joinPreviewSchema, { body: { threatIds }, signal }),
    // A decision is on what the person sees now.
    gcTime: 0,
  })
}

/** Changes to cases. After each one they are read again, also if it was refused. */
export function caseMutations(queryClient: QueryClient) {
  const onSettled = () => queryClient.invalidateQueries({ queryKey: casesKey })
  return {
    act: mutationOptions({
      mutationFn: (action: CaseAction) => sendJson('cases', caseChangeSchema, { body: action }),
      onSettled,
    }),
    undo: mutationOptions({
      mutationFn: (undoId: string) => sendJson('cases/undo', z.undefined(), { body: { undoId } }),
      onSettled,
    }),
  }
}
