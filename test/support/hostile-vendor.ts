import { once } from 'node:events'
import { createServer } from 'node:http'
import { NASTY_STRINGS } from './app/nasty-strings.ts'
import { earlierDetail, earlierList, v1Detail, v1List } from './upstream-records.ts'

const TEXTS = Object.values(NASTY_STRINGS)
/** Within the window, so that both ways of listing meet them. */
const NEWEST_MS = Date.now()
const SPACING_MS = 60_000

/** In the webhooks of its profiles: a reader gets to see four characters of it. */
export const WEBHOOK_SECRET = 'kNq7pXw2canaryZr9tYv4sBd'

/** How many records it has: one for each kind of text. */
export const HOSTILE_COUNT = TEXTS.length
export const hostileId = (index: number) => `hostile-${index}`

/** A vendor on this machine whose every text, in every field, is one an attacker would choose. */
export async function startHostileVendor(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://vendor')
    const body = answer(pathname)
    const echo = request.headers.authorization ?? ''
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json', 'x-echo': echo })
    response.end(JSON.stringify(body ?? { error: `${TEXTS[2]} ${echo}` }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The vendor has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

function answer(pathname: string): unknown {
  if (pathname === '/api/v1/threats') return v1List(TEXTS.map((_, index) => v1RecordOf(index)))
  if (pathname === '/api/feed') return earlierList(TEXTS.map((_, index) => earlierRecordOf(index)))
  if (pathname === '/api/v1/threat-actors') return { data: TEXTS.map(actorOf) }
  if (pathname === '/api/v1/countries/DE') return { data: countryOf(TEXTS) }
  if (pathname === '/api/metrics') return metricsOf(TEXTS)
  if (pathname === '/api/alerts') return { alert_profiles: TEXTS.map(profileOf) }
  const [, set, index] = /^\/api\/(v1\/threats|feed)\/hostile-(\d+)$/.exec(pathname) ?? []
  if (set === undefined || TEXTS[Number(index)] === undefined) return null
  return set === 'feed' ? earlierRecordOf(Number(index)) : { data: v1RecordOf(Number(index)) }
}

function v1RecordOf(index: number) {
  const text = TEXTS[index] ?? ''
  const texts = [text]
  return {
    ...v1Detail({
      id: hostileId(index),
      title: text,
      summary: text,
      category: text,
      threat_actors: texts,
      victims: { countries: [...texts, 'Germany'], industries: texts, organizations: texts, domains: texts },
      ai_analysis: text,
      published_at: new Date(NEWEST_MS - index * SPACING_MS).toISOString(),
      source_url: text,
      analysis: { summary: text, impact: text, recommendations: texts },
    }),
    risk_level: text,
    unknown_field: { [text]: text },
  }
}

function earlierRecordOf(index: number) {
  const text = TEXTS[index] ?? ''
  return {
    ...earlierDetail({
      id: hostileId(index),
      content: text,
      evidence: [
        { type: text, url: text },
        { type: text, url: `https://evil.example/${encodeURIComponent(text.toWellFormed().slice(0, 100))}` },
      ],
    }),
    ai_analysis: { risk_level: text, summary: text, impact: text, recommendations: [text] },
  }
}

function actorOf(text: string, index: number) {
  return {
    name: text,
    mentions: index,
    latest_observed_at: new Date(NEWEST_MS).toISOString(),
    categories: [text],
    [text]: text,
  }
}

function countryOf(texts: readonly string[]) {
  const counted = texts.map((name, count) => ({ name, count }))
  return {
    country: 'Germany',
    country_code: 'DE',
    threats: 9,
    top_actors: counted,
    top_industries: counted,
    summary: texts.join('\n').slice(0, 20_000),
    other: Object.fromEntries(texts.map((text) => [text, text.slice(0, 1_000)])),
  }
}

function metricsOf(texts: readonly string[]) {
  return {
    total_threats: 9,
    threat_categories: Object.fromEntries(texts.map((text, count) => [text, count])),
    last_threat_at: texts[2],
    other: Object.fromEntries(texts.map((text) => [text, text.slice(0, 1_000)])),
  }
}

function profileOf(text: string, index: number) {
  return {
    id: `profile-${index}`,
    name: text,
    keywords: [text, `"${text}"`],
    categories: [text],
    notifications: {
      email: [text],
      slack: `https://hooks.slack.com/services/T0/B0/${WEBHOOK_SECRET}`,
      teams: `https://lantern.webhook.office.com/${WEBHOOK_SECRET}`,
    },
    created_at: text,
    triggered_count: index,
  }
}
