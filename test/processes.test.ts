import { expect, test } from 'vitest'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { startStandInUpstream } from './support/stand-in-upstream.ts'
import { startSignedIn } from './support/start-signed-in.ts'
import { v1List, v1Record } from './support/upstream-records.ts'
import { takeDatabase } from './support/with-database.ts'

const NOTICE_MAX_MS = 5_000

test('what the reader of one process reads is in the feed of the others within 5 s', async ({ annotate }) => {
  const database = await takeDatabase('bff')
  const standIn = await startStandInUpstream()
  const secondPage = Promise.withResolvers<void>()
  standIn.play('/api/v1/threats', async ({ query }) => {
    if (query.cursor === undefined) return { json: v1List(recordsFrom(0), { cursor: 'second' }) }
    await secondPage.promise
    return { json: v1List(recordsFrom(50)) }
  })
  const upstream = { url: standIn.url, apiKey: 'key-of-the-tests', kind: 'vendor' } as const
  const processes = [await startSignedIn(database, { upstream }), await startSignedIn(database, { upstream })]
  const totals = () =>
    Promise.all(
      processes.map(async ({ ask }) => threatListSchema.parse(await (await ask('/bff/threats')).json())),
    ).then((lists) => lists.map(({ total }) => total))

  // Both answer from bytes that they keep for 15 seconds, unless they are notified.
  await expect.poll(totals).toEqual([50, 50])
  const readers = processes.filter(({ logged }) => logged.join('').includes('sync-elected'))
  expect(readers).toHaveLength(1)

  secondPage.resolve()
  const readAtMs = performance.now()
  await expect.poll(totals, { timeout: NOTICE_MAX_MS, interval: 20 }).toEqual([100, 100])
  await annotate(`Both feeds had it after ${Math.round(performance.now() - readAtMs)} ms`)
})

function recordsFrom(first: number) {
  return Array.from({ length: 50 }, (_, at) =>
    v1Record({
      id: `thr_${first + at}`,
      published_at: new Date(Date.now() - (first + at) * 60_000).toISOString(),
    }),
  )
}
