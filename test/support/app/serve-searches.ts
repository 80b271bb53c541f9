import { screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import type { Source } from '#contract/bff/source.ts'
import type { FacetName, ThreatFacets, ThreatList } from '#contract/bff/threat-list.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, problem, SOURCE } from './fake-bff.ts'

const FACETS: ThreatFacets = {
  category: [{ value: 'Data Breach', count: 12 }],
  country: [
    { value: 'FR', count: 1_234 },
    { value: 'DE', count: 7 },
  ],
  actor: [{ value: 'Pale Harbour', count: 3 }],
  industry: [{ value: 'Healthcare', count: 3 }],
  severity: [{ value: 'high', count: 5 }],
}

export const WINDOW: Source['window'] = {
  status: 'complete',
  from: '2026-10-22T00:00:00Z',
  to: '2026-11-21T12:00:00Z',
  threats: 900,
  lastReadAt: '2026-11-21T12:00:00Z',
  trouble: null,
}

/** A window that answers every search without a fault alike, and keeps what was asked. */
export function serveSearches(members: Partial<ThreatList> = {}) {
  const asked = { lists: [] as (string | null)[], facets: [] as string[] }
  fakeBff.use(
    http.get('/bff/source', () => HttpResponse.json({ ...SOURCE, window: WINDOW })),
    http.get<{ name: FacetName }>('/bff/facets/:name', ({ params, request }) => {
      asked.facets.push(`${params.name} ${new URL(request.url).searchParams.get('q')}`)
      return HttpResponse.json({ values: FACETS[params.name], more: 0, isExact: true })
    }),
    http.get('/bff/threats', ({ request }) => {
      const q = new URL(request.url).searchParams.get('q')
      asked.lists.push(q)
      const { faults } = parseQuery(q ?? '')
      const fields = faults.map(({ message, ...place }) => ({ name: 'q', reason: message, ...place }))
      if (faults.length > 0) return problem('bad_request', 400, { fields, requestId: 'request-1' })
      const list = aThreatList([aThreat('a-1')], { facets: FACETS })
      return HttpResponse.json({ ...list, understoodAs: q && `[${q}]`, ...members })
    }),
  )
  return asked
}

export const searchField = () => screen.getByRole('combobox', { name: 'Search' })
