import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { Random } from '#test/support/random.ts'
import { type CrowdRequest, nextRequest } from './crowd-requests.ts'
import { type Answer, type CrowdFigures, type CrowdPlan, crowdPlanSchema } from './crowd-wire.ts'

const ANSWER_TIMEOUT_MS = 30_000

const agent = new Agent({ headersTimeout: ANSWER_TIMEOUT_MS, bodyTimeout: ANSWER_TIMEOUT_MS })

// A process of its own, so that its work does not slow what it measures: plan on standard input, times on standard output.
const plan = crowdPlanSchema.parse(JSON.parse(await text(process.stdin)))
console.log(JSON.stringify(await runCrowd(plan)))

/** Sends each request when it is due, whether those before were answered or not: what waits in a queue is counted. */
async function runCrowd(plan: CrowdPlan): Promise<CrowdFigures> {
  const { perSecond, warmUpSeconds, seconds, threatIds, cookies } = plan
  const random = new Random(plan.seed)
  const leaving = new AbortController()
  const streams = await openStreams(plan, leaving.signal)
  const lateMs: number[] = []
  const sent: Promise<Answer>[] = []
  const startedMs = performance.now()
  for (let at = 0; at < (warmUpSeconds + seconds) * perSecond; at += 1) {
    const request = nextRequest(random, threatIds)
    const cookie = random.pick(cookies)
    const dueMs = startedMs + (at * 1_000) / perSecond
    const leftMs = dueMs - performance.now()
    if (leftMs > 0) await sleep(leftMs)
    const isCounted = at >= warmUpSeconds * perSecond
    const answer = ask(plan.origin, { request, cookie, dueMs })
    if (!isCounted) continue
    lateMs.push(Math.max(0, performance.now() - dueMs))
    sent.push(answer)
  }
  const answers = await Promise.all(sent)
  const heard = { ...streams }
  leaving.abort()
  return { answers, lateMs, streams: heard }
}

type Due = { request: CrowdRequest; cookie: string; dueMs: number }

async function ask(origin: string, { request: { route, path, body }, cookie, dueMs }: Due): Promise<Answer> {
  const status = await sendJson(`${origin}${path}`, cookie, body).catch(() => 0)
  return { route, status, ms: performance.now() - dueMs }
}

async function sendJson(url: string, cookie: string, body: unknown): Promise<number> {
  const response = await request(url, {
    dispatcher: agent,
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'x-lantern': '1',
      cookie,
      'accept-encoding': 'gzip, deflate, br, zstd',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  for await (const _ of response.body);
  return response.statusCode
}

/** Each on a connection of its own, as each browser has one. */
async function openStreams({ origin, cookies, streams }: CrowdPlan, signal: AbortSignal) {
  const heard = { ended: 0, events: 0 }
  const dispatcher = new Agent({ bodyTimeout: 0 })
  for (let at = 0; at < streams; at += 1) {
    const cookie = cookies[at % cookies.length] ?? ''
    const headers = { 'x-lantern': '1', 'x-lantern-background': '1', cookie }
    const { statusCode, body } = await request(`${origin}/bff/live`, { dispatcher, headers, signal })
    if (statusCode !== 200) throw new Error(`A stream of live events was answered ${statusCode}`)
    body.on('data', (chunk: Buffer) => {
      heard.events += chunk.toString().split('data: ').length - 1
    })
    body.on('error', () => {})
    body.on('close', () => {
      heard.ended += 1
    })
  }
  return heard
}
