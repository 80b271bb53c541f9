import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '#bff/http/log.ts'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { ADMIN } from '#test/support/ask-bff.ts'
import { nameThreats } from '#test/support/name-threats.ts'
import { startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { startSignedIn } from '#test/support/start-signed-in.ts'
import { USUAL_HISTORY, USUAL_NOTIFY } from '#test/support/usual-settings.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { startBff } from './start.ts'

const AT_ONCE_MS = 6_000

test('stops at once during a call, which does not count as a failure of the vendor', async () => {
  const database = await takeDatabase('bff')
  const standIn = await startStandInUpstream()
  standIn.play('/api/v1/threats', () => new Promise(() => {}))
  const upstream = { url: standIn.url, apiKey: 'key-of-the-tests', kind: 'vendor' } as const
  const { close, logged } = await startSignedIn(database, { upstream })
  await expect.poll(() => standIn.calls.length).toBe(1)

  await expect(Promise.race([close(), sleep(AT_ONCE_MS, 'too late')])).resolves.toBeUndefined()
  await expect.poll(() => standIn.countConnections()).toBe(0)
  await sleep(100)
  expect(logged.filter((line) => !line.includes('"level":"info"'))).toEqual([])
  const { rows } = await database.query('select outcome from upstream_call')
  expect(rows).toEqual([{ outcome: null }])
})

test('is ready for traffic only once there is an account to sign in to', async () => {
  const database = await takeDatabase('bff')
  const accountsMayBeMade = Promise.withResolvers<void>()
  const accountsAreHeld = Promise.withResolvers<void>()
  const holding = database.transaction(async (tx) => {
    await tx.query('lock table account in share mode')
    accountsAreHeld.resolve()
    await accountsMayBeMade.promise
  })
  await accountsAreHeld.promise
  const port = await findFreePort()
  const statusOf = (path: string) =>
    fetch(`http://localhost:${port}${path}`).then(
      ({ status }) => status,
      () => null,
    )

  const starting = startBff({
    history: USUAL_HISTORY,
    notify: USUAL_NOTIFY,
    database,
    host: 'localhost',
    port,
    publicUrl: `http://localhost:${port}`,
    upstream: { url: 'http://127.0.0.1:1', kind: 'vendor' },
    admin: ADMIN,
    secret: 'secret-of-the-tests-and-long-enough',
    staticFolder: '/nonexistent',
    log: createLog(() => {}),
  })
  await expect.poll(() => statusOf('/healthz')).toBe(200)
  expect(await statusOf('/readyz')).toBe(503)
  accountsMayBeMade.resolve()
  await holding
  const { close } = await starting
  onTestFinished(close)
  expect(await statusOf('/readyz')).toBe(200)
})

test('serves requests after it has announced its stop, but keeps no connection open', async () => {
  const database = await takeDatabase('bff')
  const upstream = { url: 'http://127.0.0.1:1', kind: 'vendor' } as const
  await nameThreats(database, 'thr_1')
  const { ask, announceStop } = await startSignedIn(database, { upstream })
  expect((await ask('/bff/session')).headers.get('connection')).toBe('keep-alive')

  announceStop()
  expect((await ask('/readyz')).status).toBe(503)
  expect((await ask('/healthz')).status).toBe(200)
  const read = await ask('/bff/session')
  expect([read.status, read.headers.get('connection')]).toEqual([200, 'close'])
  const written = await ask('/bff/triage', { body: { action: 'star', ids: ['thr_1'] } })
  expect([written.status, written.headers.get('connection')]).toEqual([200, 'close'])
})
