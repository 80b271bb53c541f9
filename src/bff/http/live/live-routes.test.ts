import { expect, test } from 'vitest'
import { endedSessionsChannel } from '#bff/accounts/sign-in/session-store.ts'
import { listen } from '#database/listen.ts'
import { createTestBff } from '#test/support/ask-bff.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { LiveHub } from './live-hub.ts'
import { liveRoutes } from './live-routes.ts'

const readPosition = async () => ({ last: 7, isAnew: false })
const POSITION = 'data: {"kind":"position","last":7,"isAnew":false}\n\n'

type Listening = { hub: LiveHub; next(): Promise<string>; isOver(): Promise<boolean>; stop(): Promise<void> }

/** A signed-in page that listens. */
function withPage(run: (listening: Listening) => Promise<void>) {
  return withDatabase('bff', async (database) => {
    const hub = new LiveHub()
    const bff = await createTestBff(database, { routes: liveRoutes(hub, readPosition) })
    await bff.signIn()
    const response = await bff.ask('/bff/live')
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('cache-control')).toContain('no-store')
    const reader = response.body?.getReader()
    if (!reader) throw new Error('No stream')
    const next = async () => new TextDecoder().decode((await reader.read()).value)
    expect(await next()).toBe('retry: 2000\n\n')
    expect(await next()).toBe(POSITION)
    await run({
      hub,
      next,
      isOver: async () => (await reader.read()).done,
      stop: () => reader.cancel(),
    })
    await reader.cancel()
  })
}

test(
  'sends changes in their order',
  withPage(async ({ hub, next }) => {
    hub.publish({ kind: 'window' })
    hub.publish({ kind: 'triage', ids: ['a\nb'] })

    expect(await next()).toBe('data: {"kind":"window"}\n\n')
    expect(await next()).toBe('data: {"kind":"triage","ids":["a\\nb"]}\n\n')
  }),
)

test(
  'sends changes missed while the page loaded, if the page requests them',
  withDatabase('bff', async (database) => {
    const hub = new LiveHub()
    const bff = await createTestBff(database, { routes: liveRoutes(hub, readPosition) })
    await bff.signIn()
    hub.publish({ kind: 'views' })
    const listen = async (path: string) => {
      const reader = (await bff.ask(path)).body?.getReader()
      if (!reader) throw new Error('No stream')
      await reader.read()
      hub.publish({ kind: 'inbox' })
      const heard: string[] = []
      while (heard.length < 2) heard.push(new TextDecoder().decode((await reader.read()).value))
      await reader.cancel()
      return heard.filter((text) => text !== POSITION).at(0)
    }

    expect(await listen('/bff/live')).toBe('data: {"kind":"inbox"}\n\n')
    expect(await listen('/bff/live?missed=30000')).toBe('data: {"kind":"views"}\n\n')
    expect(await bff.ask('/bff/live?missed=30001')).toMatchObject({ status: 400 })
  }),
)

test(
  'forgets a page that goes away',
  withPage(async ({ hub, stop }) => {
    expect(hub.size).toBe(1)
    await stop()
    expect(hub.size).toBe(0)
    hub.publish({ kind: 'window' })
  }),
)

test(
  'ends with the server, so that the page looks for another',
  withPage(async ({ hub, isOver }) => {
    hub.close()
    expect(await isOver()).toBe(true)
    expect(hub.size).toBe(0)
  }),
)

test(
  'closes the stream of a page that has stopped reading',
  withPage(async ({ hub }) => {
    for (let event = 0; event < 200; event += 1) hub.publish({ kind: 'window' })
    expect(hub.size).toBe(0)
  }),
)

test(
  'ends when a session of its account does, and no other',
  withDatabase('bff', async (database) => {
    const hub = new LiveHub()
    const bff = await createTestBff(database, { routes: liveRoutes(hub, readPosition) })
    const ended = endedSessionsChannel(bff.sessions, (accountId) => hub.endOf(accountId))
    const stopListening = await listen(database.pool, [ended], () => {})
    await bff.signIn()
    const reader = (await bff.ask('/bff/live')).body?.getReader()
    await reader?.read()
    await reader?.read()
    hub.endOf('somebody-else')
    expect(hub.size).toBe(1)

    await bff.ask('/bff/sign-out', { method: 'POST' })
    await expect.poll(() => hub.size).toBe(0)
    expect(await reader?.read()).toMatchObject({ done: true })
    await stopListening()
  }),
)

test(
  'refuses a signed-out user',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database, { routes: liveRoutes(new LiveHub(), readPosition) })
    expect((await bff.ask('/bff/live')).status).toBe(401)
  }),
)

test(
  'one account gets at most 50 streams',
  withDatabase('bff', async (database) => {
    const hub = new LiveHub()
    const bff = await createTestBff(database, { routes: liveRoutes(hub, readPosition) })
    await bff.signIn()
    for (let page = 0; page < 50; page += 1) expect((await bff.ask('/bff/live')).status).toBe(200)
    expect((await bff.ask('/bff/live')).status).toBe(429)
    expect(hub.size).toBe(50)
    hub.close()
  }),
)
