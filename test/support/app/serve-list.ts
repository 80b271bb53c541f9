import { HttpResponse, http } from 'msw'
import type { NameList } from '#contract/bff/list.ts'
import type { ListMatch } from '#contract/bff/list-match.ts'
import { makeEntry, makeList, makeMatch } from '#test/fixtures/list-fixtures.ts'
import { fakeBff } from './fake-bff.ts'

/** Serves one list with its entries and matches, and records what is sent. */
export function serveList({
  list = makeList(),
  matches = [makeMatch()],
}: {
  list?: NameList
  matches?: ListMatch[]
} = {}) {
  const sent: { method: string; path: string; body: unknown }[] = []
  const take = async ({ request }: { request: Request }) => {
    const body = request.headers.get('content-type')?.includes('json') ? await request.json() : null
    sent.push({ method: request.method, path: new URL(request.url).pathname, body })
  }
  fakeBff.use(
    http.get('/bff/lists', () => HttpResponse.json({ lists: [list] })),
    http.get('/bff/lists/:id', () => HttpResponse.json(list)),
    http.get('/bff/lists/:id/entries', () =>
      HttpResponse.json({
        entries: [
          makeEntry('Okapi Ltd', { domains: ['okapi.example'], matched: { certain: 1, toConfirm: 2 } }),
        ],
        total: 1,
      }),
    ),
    http.get('/bff/lists/:id/matches', () => HttpResponse.json({ matches, total: matches.length })),
    http.post('/bff/lists', async (info) => {
      await take(info)
      return HttpResponse.json(list, { status: 201 })
    }),
    http.post('/bff/lists/:id/entries', async (info) => {
      await take(info)
      return HttpResponse.json({ added: 1, known: 0 }, { status: 201 })
    }),
    http.put('/bff/lists/:id/decisions', async (info) => {
      await take(info)
      return new HttpResponse(null, { status: 204 })
    }),
    http.put('/bff/lists/:id/entries/:entryId', async (info) => {
      await take(info)
      return new HttpResponse(null, { status: 204 })
    }),
    http.delete('/bff/lists/:id/entries/:entryId', async (info) => {
      await take(info)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  return sent
}
