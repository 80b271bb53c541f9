import { HttpResponse, http } from 'msw'
import type { ThreatDetail } from '#contract/bff/threat.ts'
import type { RelatedThreats } from '#contract/bff/threat-list.ts'
import { aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, problem } from './fake-bff.ts'

const { freshness } = aThreatList([])

/** A BFF that knows one threat, its related ones and its first picture. */
export function serveThreat(threat: ThreatDetail, groups: RelatedThreats['groups'] = []) {
  fakeBff.use(
    http.get('/bff/threats/:id', () => HttpResponse.json({ threat, freshness })),
    http.get('/bff/threats/:id/related', () => HttpResponse.json({ groups, freshness })),
    http.get('/bff/threats/:id/evidence/:index', ({ params }) =>
      params.index === '0'
        ? HttpResponse.arrayBuffer(new ArrayBuffer(8), { headers: { 'content-type': 'image/webp' } })
        : problem('picture_unavailable', 422, { title: 'The file is no picture' }),
    ),
  )
}
