import { createServer } from 'node:https'
import { expect, onTestFinished, test } from 'vitest'
import { sourceSchema } from '#contract/bff/source.ts'
import { SELF_SIGNED } from './fixtures/self-signed.ts'
import { createTestData } from './support/ask-data.ts'
import { startSignedIn } from './support/start-signed-in.ts'
import { takeDatabase } from './support/with-database.ts'

const NAMED_MAX_MS = 10_000

/** A vendor whose certificate nobody but it itself vouches for. */
async function startSelfSigned(): Promise<string> {
  const vendor = createServer(SELF_SIGNED, (_, response) => response.end('{}'))
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void vendor.close())
  const address = vendor.address()
  if (address === null || typeof address === 'string') throw new Error('It has no port')
  return `https://localhost:${address.port}`
}

test('reports a self-signed certificate of the vendor to an admin, with the remedy', async () => {
  const upstream = { url: await startSelfSigned(), apiKey: 'key-of-the-tests', kind: 'vendor' } as const
  const { ask } = await startSignedIn(await takeDatabase('bff'), { upstream })
  const certificate = async () => sourceSchema.parse(await (await ask('/bff/source')).json()).trouble
  await expect.poll(certificate, { timeout: NAMED_MAX_MS }).toMatch(/self-signed.*NODE_EXTRA_CA_CERTS/)
})

test('does not report it to users who cannot correct it', async () => {
  const { ask } = await createTestData({ upstream: { url: await startSelfSigned() } })
  expect((await ask('/bff/threats/thr_1?set=v1')).status).toBe(502)
  expect(await (await ask('/bff/source')).json()).not.toHaveProperty('trouble')
})
