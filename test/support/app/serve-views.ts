import { HttpResponse, http } from 'msw'
import type { Role } from '#contract/bff/session.ts'
import { newViewSchema, type View } from '#contract/bff/view.ts'
import { aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, signInAs } from './fake-bff.ts'

export const VIEW_ID = '6a0e2c1e-7f7e-4c0e-9d3a-0d7c5a1f4b11'
/** One's own. */
export const VIEW: View = {
  id: VIEW_ID,
  name: 'DDoS in Germany',
  filter: { category: ['DDoS'], country: ['DE'] },
  timeZone: 'UTC',
  isShared: false,
  owner: { name: 'Ada Example', isMe: true },
  isDefault: false,
  hasFeed: false,
  updatedAt: '2026-11-20T12:00:00.000Z',
}

/** A BFF with saved views, and no threat. What was sent, as `METHOD path body`. */
export function serveViews(views: View[], role: Role = 'analyst'): string[] {
  const sent: string[] = []
  const record = async (request: Request) => {
    const body = await request.text()
    sent.push([request.method, new URL(request.url).pathname.slice('/bff/'.length), body].join(' ').trim())
    return body
  }
  const nothing = () => new HttpResponse(null, { status: 204 })
  signInAs(role)
  fakeBff.use(
    http.get('/bff/threats', () => HttpResponse.json(aThreatList([]))),
    http.get('/bff/views', () => HttpResponse.json({ views })),
    http.post('/bff/views', async ({ request }) => {
      const { idempotencyKey, ...draft } = newViewSchema.parse(JSON.parse(await record(request)))
      const view = { ...VIEW, ...draft }
      views.push(view)
      return HttpResponse.json(view, { status: 201 })
    }),
    http.put('/bff/views/default', async ({ request }) => {
      await record(request)
      return nothing()
    }),
    http.put('/bff/views/:id', async ({ request }) => {
      await record(request)
      return HttpResponse.json(VIEW)
    }),
    http.post('/bff/views/:id/feed', () =>
      HttpResponse.json({ address: 'http://localhost/feeds/secret.atom' }, { status: 201 }),
    ),
    http.delete('/bff/views/:id', async ({ request }) => {
      await record(request)
      views.splice(0)
      return nothing()
    }),
  )
  return sent
}

/** What its filter is in an address. */
export const FILTERED = { category: 'DDoS', country: 'DE' }
