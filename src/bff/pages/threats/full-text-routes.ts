import { FULL_TEXT_SEARCHES } from '#bff/http/account-limits.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import {
  type FullTextSearches,
  findFullTexts,
  searchFullTexts,
} from '#bff/store/full-text/search-full-texts.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import { toReadRequest } from '#bff/upstream/cache/read-request.ts'
import { orProblem } from '#bff/upstream/client/to-problem.ts'
import { fullTextQuerySchema, fullTextRequestSchema } from '#contract/bff/full-text-search.ts'

type FullTextRouteDependencies = Omit<FullTextSearches, 'flights'> & { store: ThreatStore }

export function fullTextRoutes({ store, ...dependencies }: FullTextRouteDependencies): BffRoute[] {
  const searches: FullTextSearches = { ...dependencies, flights: new Map() }
  return [
    defineRoute('GET /bff/full-text-searches', {
      access: 'viewer',
      query: fullTextQuerySchema,
      answer: async ({ query }) => ({ json: await findFullTexts(searches, query.q) }),
    }),
    defineRoute('POST /bff/full-text-searches', {
      access: 'viewer',
      body: fullTextRequestSchema,
      limit: FULL_TEXT_SEARCHES,
      async answer({ body, request, session }) {
        const found = await orProblem(() => searchFullTexts(searches, body, toReadRequest(request, session)))
        // The reader's next list must have it, though the notice to all processes may still be on its way.
        store.forget()
        return { json: found }
      },
    }),
  ]
}
