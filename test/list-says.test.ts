import { expect, test } from 'vitest'
import { sourceSchema } from '#contract/bff/source.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { seedDemo } from '#service/demo/seed-demo.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { makeThreat } from './support/service/make-threat.ts'
import { startOwnService } from './support/start-own-service.ts'
import { startSignedIn } from './support/start-signed-in.ts'
import { takeDatabase } from './support/with-database.ts'

/** Requests in quick succession are people, for whom the sync makes way. */
const FILLED = { timeout: 60_000, interval: 500 }

/** A dashboard on our own service, with the demo and one record of the last minute that has no analysis. */
async function start(v1Plan: 'defend' | 'trial') {
  const service = await startOwnService({ v1Plan })
  await seedDemo(service.database, { now: new Date() })
  await insertThreats(service.database, [
    makeThreat({ publishedAt: new Date().toISOString(), analysis: null }),
  ])
  const upstream = { url: service.url, apiKey: service.apiKey, kind: 'embedded' } as const
  const { ask } = await startSignedIn(await takeDatabase('bff'), { upstream })
  const read = (q: string) => ask(`/bff/threats?q=${encodeURIComponent(q)}`)
  const list = async (q: string) => threatListSchema.parse(await (await read(q)).json())
  const window = async () => sourceSchema.parse(await (await ask('/bff/source')).json()).window
  const untilFilled = () => expect.poll(async () => (await window()).status, FILLED).toBe('complete')
  return { list, window, untilFilled }
}

test('the demo says of all threats but one that they have an analysis', { timeout: 120_000 }, async () => {
  const { list, window, untilFilled } = await start('defend')
  await untilFilled()
  const { threats } = await window()
  expect(await list('has:analysis')).toMatchObject({
    total: threats - 1,
    partialFields: [{ field: 'analysis', threats: threats - 1, of: threats }],
  })
  expect(await list('-has:analysis')).toMatchObject({ total: 1, threats: [{ redacted: [] }] })
})

test('what a plan withholds is not found, and the list says for how many it is given', {
  timeout: 120_000,
}, async () => {
  const { list, window } = await start('trial')
  await expect.poll(async () => (await window()).threats, FILLED).toBeGreaterThan(1)
  const { total, threats, partialFields } = await list('has:analysis')
  expect([total, threats]).toEqual([0, []])
  expect(partialFields).toMatchObject([{ field: 'analysis', threats: 0 }])
})
