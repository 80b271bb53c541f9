import { expect, onTestFinished, test } from 'vitest'
import { feedRoutes } from '#bff/pages/feeds/feed-routes.ts'
import { serveBff } from '#bff/serve.ts'
import { type AuditEvent, auditPageSchema } from '#contract/bff/audit.ts'
import type { Database } from '#database/database.ts'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { ADMIN, createTestBff } from '#test/support/ask-bff.ts'
import { refuseRecords } from '#test/support/refuse-records.ts'
import { holdThreats } from '#test/support/window/hold-threats.ts'
import { takeDatabase, withDatabase } from '#test/support/with-database.ts'

/** So many lines a flood of one kind writes each minute: those of twelve sources, and one of all others. */
const LINES_OF_A_KIND = 13

async function openRecord(database: Database) {
  const { store, clock } = await holdThreats(database, { now: '2026-03-10T12:00:00.000Z', threats: [] })
  const routes = feedRoutes({ database, store, generation: () => 0, clock, origin: 'https://a.example' })
  const bff = await createTestBff(database, { routes })
  await bff.signIn()
  const list = async (query = ''): Promise<AuditEvent[]> =>
    auditPageSchema.parse(await (await bff.ask(`/bff/audit${query}`)).json()).events
  const listRefusals = async () => (await list()).filter(({ action }) => /-refused|-limited/.test(action))
  return { ...bff, list, listRefusals, flush: () => bff.refusals.flush() }
}

const forge = { headers: { origin: 'https://evil.example' } }
const timesOf = ({ after }: AuditEvent) => Number(after?.times)

test(
  'who is refused for their role stands in the record once a minute, with how often and where',
  withDatabase('bff', async (database) => {
    const { createBrowser, list, listRefusals, flush, ask } = await openRecord(database)
    await database.query(
      `insert into account (email, name, role, password_hash)
       select 'vera@example.com', 'Vera', 'viewer', password_hash from account`,
    )
    const vera = createBrowser('192.0.2.7')
    await vera.signIn({ ...ADMIN, email: 'vera@example.com' })
    for (const path of ['/bff/audit', '/bff/audit', '/bff/users']) {
      expect((await vera.ask(path)).status).toBe(403)
    }
    expect(await listRefusals()).toEqual([])

    await flush()
    expect(await listRefusals()).toMatchObject([
      {
        action: 'role-refused',
        actor: { email: 'vera@example.com' },
        address: '192.0.2.7',
        route: 'GET /bff/audit',
        after: { times: 3, routes: ['GET /bff/audit', 'GET /bff/users'], first: expect.any(String) },
      },
    ])
    await flush()
    expect(await list('?action=role-refused')).toHaveLength(1)
    expect(await list('?action=origin-refused')).toHaveLength(0)
    const file = await ask('/bff/audit/export?format=csv&action=role-refused')
    expect(await file.text()).toMatch(/"role-refused".*""times"":3/)
  }),
)

test(
  'forged origins, limited sign-ins and bad links are each written down',
  withDatabase('bff', async (database) => {
    const { createBrowser, app, listRefusals, flush } = await openRecord(database)
    const stranger = createBrowser('198.51.100.9')
    expect((await stranger.ask('/bff/session', forge)).status).toBe(403)
    const guess = { ...ADMIN, password: 'wrong wrong wrong' }
    let limited = 0
    for (let tries = 0; tries < 7; tries += 1)
      limited += Number((await stranger.signIn(guess)).status === 429)
    expect(limited).toBeGreaterThan(0)
    const body = { token: 'A'.repeat(43), password: 'correct horse battery staple' }
    expect((await stranger.ask('/bff/sign-in/password-link', { body })).status).toBe(401)
    const feed = `/feeds/${'A'.repeat(43)}.atom`
    expect((await app.request(feed, {}, { peerAddress: '198.51.100.9' })).status).toBe(404)
    expect((await stranger.ask('/bff/nothing-here')).status).toBe(404)

    await flush()
    const written = (await listRefusals()).map((event) => [event.action, timesOf(event), event.address])
    expect(written.sort()).toEqual([
      ['link-refused', 2, '198.51.100.9'],
      ['origin-refused', 1, '198.51.100.9'],
      ['sign-in-limited', limited, '198.51.100.9'],
    ])
  }),
)

test(
  'a flood from everywhere writes few lines, and the count is right',
  withDatabase('bff', async (database) => {
    const { app, listRefusals, flush } = await openRecord(database)
    for (let sent = 0; sent < 600; sent += 1) {
      const peerAddress = `198.51.${sent % 200}.7`
      await app.request('/bff/session', forge, { peerAddress })
    }
    await flush()
    const written = await listRefusals()
    expect(written).toHaveLength(LINES_OF_A_KIND)
    expect(written.reduce((sum, event) => sum + timesOf(event), 0)).toBe(600)
    expect(written.map(({ address }) => address)).toContain('other addresses')
  }),
)

test(
  'what cannot be written waits, and is counted with what comes meanwhile',
  withDatabase('bff', async (database) => {
    const { app, listRefusals, flush, logged } = await openRecord(database)
    const forgeOnce = () => app.request('/bff/session', forge, { peerAddress: '192.0.2.1' })
    await forgeOnce()
    await refuseRecords(database)
    await flush()
    expect(logged.join()).toContain('refusals-not-recorded')
    await forgeOnce()
    await database.query('alter table audit_record drop constraint refusing')
    await flush()
    expect((await listRefusals()).map(timesOf)).toEqual([2])
  }),
)

test('what was counted is written when the server stops', async () => {
  const database = await takeDatabase('bff')
  const port = await findFreePort()
  const { close } = await serveBff({
    database,
    host: '127.0.0.1',
    port,
    publicUrl: `http://localhost:${port}`,
    admin: ADMIN,
    staticFolder: '/nonexistent',
    secret: 'secret-of-the-tests-and-long-enough',
    log: { info() {}, warn() {}, error() {} },
    routes: [],
  })
  onTestFinished(close)
  await fetch(`http://localhost:${port}/bff/session`, forge)
  await close()
  const { rows } = await database.query('select action, address from audit_event')
  expect(rows).toEqual([{ action: 'origin-refused', address: '127.0.0.1' }])
})
