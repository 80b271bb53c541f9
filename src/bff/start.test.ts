import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { startSignedIn } from '#test/support/start-signed-in.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const AT_ONCE_MS = 6_000

test('stops at once though the source owes an answer, which says nothing of the source', async () => {
  const database = await takeDatabase('bff')
  const standIn = await startStandInUpstream()
  standIn.play('/api/v1/threats', () => new Promise(() => {}))
  const upstream = { url: standIn.url, apiKey: 'key-of-the-tests', kind: 'vendor' } as const
  const { close, logged } = await startSignedIn(database, { upstream })
  await expect.poll(() => standIn.calls.length, { timeout: 10_000 }).toBe(1)

  await expect(Promise.race([close(), sleep(AT_ONCE_MS, 'too late')])).resolves.toBeUndefined()
  await expect.poll(() => standIn.countConnections(), { timeout: 10_000 }).toBe(0)
  await sleep(100)
  expect(logged.filter((line) => !line.includes('"level":"info"'))).toEqual([])
  const { rows } = await database.query('select outcome from upstream_call')
  expect(rows).toEqual([{ outcome: null }])
})
