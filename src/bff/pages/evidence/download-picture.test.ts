import { expect, test } from 'vitest'
import type { ResolveHost } from '#server/public-host.ts'
import { startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { downloadPicture } from './download-picture.ts'

const from = (text: string, isUpstream = false) => ({ url: new URL(text), isUpstream })
const resolveTo =
  (...addresses: string[]): ResolveHost =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

test.each([
  [['127.0.0.1']],
  [['169.254.169.254']],
  [['::1']],
  [['::ffff:10.0.0.1']],
  [['93.184.216.34', '10.0.0.1']],
])('connects to no host whose name resolves to %j', async (addresses) => {
  await expect(downloadPicture(from('https://evil.example/a.png'), resolveTo(...addresses))).rejects.toThrow(
    'private network',
  )
})

test('connects to the checked IP address, even if the name resolves to another later', async () => {
  const standIn = await startStandInUpstream()
  standIn.play('/a.png', { raw: 'bytes' })
  const { port } = new URL(standIn.url)
  const address = from(`http://changing.example:${port}/a.png?b=c`, true)
  expect((await downloadPicture(address, resolveTo('127.0.0.1'))).toString()).toBe('bytes')
  expect(standIn.calls).toMatchObject([{ query: { b: 'c' }, headers: { host: `changing.example:${port}` } }])
})

test.each<[string, ResolveHost]>([
  ['nothing', async () => []],
  ['an error', () => Promise.reject(new Error('ENOTFOUND'))],
])('reports a host whose name resolves to %s', async (_, resolve) => {
  await expect(downloadPicture(from('https://gone.example/a.png'), resolve)).rejects.toThrow(
    'cannot be found',
  )
})
