import { expect, test } from 'vitest'
import { feedRoutes } from '#bff/pages/feeds/feed-routes.ts'
import { ADMIN, createTestBff } from '#test/support/ask-bff.ts'
import { lengthenWaits } from '#test/support/lengthen-waits.ts'
import { holdThreats } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'

test(
  'logs roles, forged origins, limited sign-ins and void links that were refused, and nothing else',
  withDatabase('bff', async (database) => {
    const { store, clock } = await holdThreats(database, { now: '2026-03-10T12:00:00.000Z', threats: [] })
    const routes = feedRoutes({ database, store, generation: () => 0, clock, origin: 'https://a.example' })
    const { createBrowser, app, logged, signIn } = await createTestBff(database, { routes })
    await signIn()
    await database.query(
      `insert into account (email, name, role, password_hash)
       select 'vera@example.com', 'Vera', 'viewer', password_hash from account`,
    )
    const vera = createBrowser('192.0.2.7')
    await vera.signIn({ ...ADMIN, email: 'vera@example.com' })
    expect((await vera.ask('/bff/users')).status).toBe(403)

    const stranger = createBrowser('198.51.100.9')
    const forged = await stranger.ask('/bff/session', { headers: { origin: 'https://evil.example' } })
    expect(forged.status).toBe(403)
    const guess = { ...ADMIN, password: 'wrong wrong wrong' }
    let last = 0
    for (let tries = 0; tries < 7; tries += 1) {
      await lengthenWaits(database)
      last = (await stranger.signIn(guess)).status
    }
    expect(last).toBe(429)
    const body = { token: 'A'.repeat(43), password: 'correct horse battery staple' }
    expect((await stranger.ask('/bff/sign-in/password-link', { body })).status).toBe(401)
    const feed = `/feeds/${'A'.repeat(43)}.atom`
    expect((await app.request(feed, {}, { peerAddress: '198.51.100.9' })).status).toBe(404)
    expect((await stranger.ask('/bff/nothing-here')).status).toBe(404)

    const lines: { event: string; actor: string | null; address: string; route: string }[] = logged.map(
      (line) => JSON.parse(line),
    )
    const refused = lines.filter(({ event }) => /-(?:refused|limited)$/.test(event))
    expect(refused[0]).toMatchObject({
      level: 'warn',
      event: 'role-refused',
      actor: expect.any(String),
      address: '192.0.2.7',
      route: 'GET /bff/users',
    })
    expect(refused[1]).toMatchObject({ event: 'origin-refused', actor: null, address: '198.51.100.9' })
    const others = new Set(refused.slice(2).map(({ event, route }) => `${event} ${route}`))
    expect([...others]).toEqual([
      'sign-in-limited POST /bff/sign-in',
      'link-refused POST /bff/sign-in/password-link',
      'link-refused GET /bff/feeds/:fileName',
    ])
    expect((await database.query(`select from audit_event where action like '%-refused'`)).rowCount).toBe(0)
  }),
)
