import * as z from 'zod/mini'
import type { Answer, BffRoute, RouteRequest } from '#bff/http/route.ts'
import { defineTestRoute } from './define-test-route.ts'
import { type DoorOptions, openDoor } from './open-door.ts'

export const FRESH_MS = 10_000
export const FRESHNESS = {
  fetchedAt: '2026-03-10T12:00:00.000Z',
  isStale: false,
  staleReason: null,
}

type Notes = { method?: 'GET' | 'POST'; access?: BffRoute['access'] } & Pick<
  Partial<BffRoute>,
  'effect' | 'cache' | 'limit' | 'needsFreshProof' | 'isForEnrolment'
>

/** One route at `/bff/notes`, which answers as `answer` says and is counted. */
export function openNotes({ method = 'GET', access = 'viewer', ...more }: Notes, options: DoorOptions = {}) {
  const seen: { request: RouteRequest; session: unknown }[] = []
  const notes = {
    answer: async (): Promise<Answer> => ({
      json: { call: seen.length, freshness: FRESHNESS },
      freshForMs: FRESH_MS,
    }),
  }
  const route = defineTestRoute({
    method,
    path: '/bff/notes',
    access,
    query: z.object({ q: z.optional(z.string()) }),
    ...more,
    async answer({ request, session }) {
      seen.push({ request, session })
      return notes.answer()
    },
  })
  return { ...openDoor({ routes: [route], ...options }), notes, seen }
}
