import { expect, test } from 'vitest'
import { sourceSchema } from '#contract/bff/source.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { seedDemo } from '#service/demo/seed-demo.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { readProblem } from './support/ask-bff.ts'
import { makeThreat } from './support/service/make-threat.ts'
import { startOwnService } from './support/start-own-service.ts'
import { startSignedIn } from './support/start-signed-in.ts'
import { takeDatabase } from './support/with-database.ts'

const FILL_MAX_MS = 60_000

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
  const refuse = async (q: string) => readProblem(await read(q))
  const window = async () => sourceSchema.parse(await (await ask('/bff/source')).json()).window
  const untilFilled = () =>
    expect.poll(async () => (await window()).status, { timeout: FILL_MAX_MS }).toBe('complete')
  return { list, refuse, window, untilFilled }
}

test('the demo says from the first answer on what has an analysis', { timeout: 120_000 }, async () => {
  const { list, window, untilFilled } = await start('defend')
  // Whatever is stored by now: the window or the service answers.
  const first = await list('has:analysis')
  expect(first.threats.length).toBeGreaterThan(0)
  expect(first.undecided).toBe(0)

  await untilFilled()
  const { threats, says } = await window()
  expect(says).toEqual(['analysis'])
  expect(await list('has:analysis')).toMatchObject({ total: threats - 1, undecided: 0 })
  expect(await list('-has:analysis')).toMatchObject({ total: 1, undecided: 0, threats: [{ redacted: [] }] })
})

test('what a plan withholds is neither found nor left out in silence', { timeout: 120_000 }, async () => {
  const { list, refuse, window } = await start('trial')
  await expect.poll(async () => (await window()).threats, { timeout: FILL_MAX_MS }).toBeGreaterThan(1)
  const found = await list('has:analysis')
  expect(found).toMatchObject({ total: 0, threats: [] })
  expect(found.undecided).toBeGreaterThan(0)
  // The bare record: what is not there is not withheld.
  expect((await list('-has:analysis')).total).toBe(1)
  expect(await refuse('has:evidence')).toMatchObject({
    status: 400,
    fields: [
      { reason: expect.stringMatching(/^The lists read so far do not say which threats have evidence/) },
    ],
  })
})
