import type { IncomingHttpHeaders } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { aMatch, aNotifiedThreat, createLedger, enqueueTo } from '#test/support/delivery/deliveries.ts'
import { startReceiver, webhookChannel } from '#test/support/stand-in-receiver.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { stopCause } from './causes.ts'
import { createWebhookSecret } from './channels/sign-webhook.ts'
import { listDeliveries } from './ledger.ts'

const SECRET = createWebhookSecret()
const pageSchema = z.object({
  data: z.object({
    count: z.int(),
    page: z.int(),
    pages: z.int(),
    threats: z.array(z.object({ id: z.string(), matchedWords: z.array(z.string()) })),
  }),
})

/** Starts a receiver that verifies each request, knows accepted ones by their id, and answers each as the test sets. */
async function startStrictReceiver(statuses: number[]) {
  const accepted = new Map<string, z.infer<typeof pageSchema>['data']>()
  const ids: string[] = []
  const sizes: number[] = []
  const { origin, received } = await startReceiver((response, body) => {
    const headers = headersOf(received.at(-1)?.headers ?? {})
    const { data } = pageSchema.parse(new Webhook(SECRET).verify(body, headers))
    const id = headers['webhook-id'] ?? ''
    ids.push(id)
    sizes.push(Buffer.byteLength(body))
    const status = statuses.shift() ?? 204
    if (status === 204) accepted.set(id, data)
    response.writeHead(status).end()
  })
  const webhook = webhookChannel(SECRET)
  return { accepted, ids, sizes, webhook, to: [{ channel: 'webhook', destination: `${origin}/in` }] }
}

const headersOf = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

test('1,500 matches arrive complete at a receiver that refuses the second page once', async () => {
  const database = await takeDatabase('service')
  const { access, createWorker, pass } = createLedger(database)
  const receiver = await startStrictReceiver([204, 503])
  const ids = Array.from({ length: 1_500 }, (_, at) => `t${at}`)
  const matches = ids.map((id) => aMatch(id, { destinations: receiver.to }))
  await enqueueTo(database, matches, access)
  const worker = createWorker({ webhook: receiver.webhook })
  await worker.work()
  expect((await listDeliveries(database, { limit: 9 })).items).toMatchObject([
    { state: 'retrying', code: '503', excerpt: expect.stringMatching(/^Page 2 of \d+: /) },
  ])
  pass(5_000)
  await worker.work()

  expect((await listDeliveries(database, { limit: 9 })).items).toMatchObject([
    { state: 'sent', attempts: 2, excerpt: expect.stringMatching(/^Page (\d+) of \1: /) },
  ])
  const pages = [...receiver.accepted.values()]
  expect(pages.flatMap(({ threats }) => threats.map(({ id }) => id)).toSorted()).toEqual(ids.toSorted())
  expect(pages.map(({ page }) => page)).toEqual(pages.map((_, at) => at + 1))
  for (const page of pages) expect(page).toMatchObject({ count: 1_500, pages: pages.length })
  expect(Math.max(...pages.map(({ threats }) => threats.length))).toBe(50)
  expect(Math.max(...receiver.sizes)).toBeLessThan(20_000)
  // The first page is not sent again, and the second has the id that it had.
  expect(receiver.ids).toHaveLength(pages.length + 1)
  expect(receiver.ids[2]).toBe(receiver.ids[1])
  expect(receiver.accepted.size).toBe(pages.length)
})

test('what is left out between two attempts leaves its page, and moves no other', async () => {
  const database = await takeDatabase('service')
  const { access, createWorker, pass } = createLedger(database)
  const receiver = await startStrictReceiver([204, 503])
  const long = 'x'.repeat(400)
  const paused = { id: 'p2', name: 'Paused', isTeam: true }
  const matches = Array.from({ length: 100 }, (_, at) =>
    aMatch(`t${String(at).padStart(3, '0')}`, {
      destinations: receiver.to,
      threat: aNotifiedThreat(`t${String(at).padStart(3, '0')}`, { victim: long, actor: long, title: long }),
      // Those of every page, also of the one that has arrived.
      ...(at % 2 === 1 && { cause: paused }),
    }),
  )
  const both = aMatch('t000', { cause: paused, destinations: receiver.to, event: 'other' })
  const words = { ...both.threat, matchedWords: ['secret'] }
  await enqueueTo(database, [...matches, { ...both, threat: words }], access)
  const worker = createWorker({ webhook: receiver.webhook })
  await worker.work()
  await database.transaction((tx) => stopCause(tx, paused, 'paused'))
  pass(5_000)
  await worker.work()

  const [first, ...others] = receiver.accepted.values()
  const even = (ids: readonly string[]) => ids.filter((id) => Number(id.slice(1)) % 2 === 0)
  const idsOf = (pages: (typeof first)[]) => pages.flatMap((page) => page?.threats.map(({ id }) => id) ?? [])
  expect(first?.threats[0]?.matchedWords).toEqual(['acme', 'secret'])
  const all = matches.map(({ threat }) => threat.id)
  expect(idsOf([first, ...others])).toEqual([
    ...all.slice(0, first?.threats.length),
    ...even(all.slice(first?.threats.length)),
  ])
})
