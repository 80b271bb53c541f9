import { once } from 'node:events'
import { createServer } from 'node:http'
import { earlierDetail, v1Detail, v1List } from '#test/support/upstream-records.ts'

const RECORDS = 500
const PAGE = 50
const SPACING_MS = 3_600_000
const CATEGORIES = ['Ransomware', 'Data Breach', 'Initial Access', 'DDoS', 'Other']
const VENDOR_COUNTRIES = ['Germany', 'France', 'Japan', 'Brazil', 'India'] as const
export const VENDOR_ACTORS = ['Ashfall', 'Coldharbor', 'Mirelock', 'Quillon'] as const

export type CountingVendor = { url: string; calls(): number; close(): Promise<void> }

export const recordId = (at: number) => `thr_${at}`

/** A vendor with a record an hour that counts its requests, on a plan that no measurement comes near. */
export async function startCountingVendor(): Promise<CountingVendor> {
  const startedMs = Date.now()
  let calls = 0
  const server = createServer((request, response) => {
    calls += 1
    const url = new URL(request.url ?? '/', 'http://vendor')
    const body = answer(url, startedMs)
    response.writeHead(body ? 200 : 404, {
      'content-type': 'application/json',
      'x-ratelimit-limit': '100000',
      'x-ratelimit-remaining': '99000',
      'x-ratelimit-reset': '60',
    })
    response.end(JSON.stringify(body ?? { error: 'Not found' }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The vendor has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls: () => calls,
    async close() {
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

function answer({ pathname, searchParams }: URL, startedMs: number): unknown {
  const [, set, id] = /^\/api\/(v1\/threats|feed)\/thr_(\d+)$/.exec(pathname) ?? []
  if (set === 'feed') return earlierDetail({ id: recordId(Number(id)) })
  if (set) return { data: recordOfHour(Number(id), startedMs) }
  switch (pathname) {
    case '/api/v1/threats':
      return pageFrom(Number(searchParams.get('cursor') ?? 0), startedMs)
    case '/api/v1/threat-actors':
      return { data: VENDOR_ACTORS.map((name, mentions) => ({ name, mentions })) }
    case '/api/metrics':
      return { total_threats: RECORDS, threat_categories: { Ransomware: RECORDS }, countries_monitored: 5 }
    case '/api/alerts':
      return { alert_profiles: [] }
  }
  const country = /^\/api\/v1\/countries\/(.+)$/.exec(pathname)?.[1]
  return country ? { data: { country, threats: 9, actors: 4, victims: 9 } } : null
}

function pageFrom(first: number, startedMs: number) {
  const count = Math.min(PAGE, RECORDS - first)
  const data = Array.from({ length: count }, (_, at) => recordOfHour(first + at, startedMs))
  const next = first + PAGE
  return v1List(data, { total: RECORDS, cursor: next < RECORDS ? String(next) : null })
}

const recordOfHour = (at: number, startedMs: number) => recordOf(at, startedMs - at * SPACING_MS)

/** The record of a rank, which decides its values. */
export function recordOf(at: number, publishedMs: number) {
  return v1Detail({
    id: recordId(at),
    category: CATEGORIES[at % CATEGORIES.length] ?? 'Other',
    threat_actors: [VENDOR_ACTORS[at % VENDOR_ACTORS.length] ?? 'Ashfall'],
    victims: {
      countries: [VENDOR_COUNTRIES[at % VENDOR_COUNTRIES.length] ?? 'Germany'],
      industries: ['Food'],
      organizations: [`Northwind ${at}`],
      domains: [`northwind${at}.example`],
    },
    published_at: new Date(publishedMs).toISOString(),
  })
}
