import { BlockList } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { problemSchema } from '#contract/bff/problem.ts'
import { startSignedIn } from '#test/support/start-signed-in.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/

async function startBehind(trustedProxies: BlockList) {
  const upstream = { url: 'http://127.0.0.1:1', kind: 'vendor' } as const
  const { ask, close } = await startSignedIn(await takeDatabase('bff'), { upstream, trustedProxies })
  onTestFinished(close)
  return async (id: string) => {
    const response = await ask('/bff/nothing-here', { headers: { 'x-request-id': id } })
    return problemSchema.parse(await response.json()).requestId
  }
}

test('uses a valid request ID from a trusted proxy', async () => {
  const loopback = new BlockList()
  loopback.addSubnet('127.0.0.0', 8, 'ipv4')
  const idOf = await startBehind(loopback)
  expect(await idOf('4bf92f3577b34da6/17')).toBe('4bf92f3577b34da6/17')
  expect(await idOf('two words')).toMatch(UUID)
  expect(await idOf('x'.repeat(129))).toMatch(UUID)
})

test('ignores a request ID from any other peer', async () => {
  const idOf = await startBehind(new BlockList())
  expect(await idOf('4bf92f3577b34da6')).toMatch(UUID)
})
