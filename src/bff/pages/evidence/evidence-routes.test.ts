import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { readProblem } from '#test/support/ask-bff.ts'
import { createTestData } from '#test/support/ask-data.ts'
import { type StandInReply, startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { earlierDetail } from '#test/support/upstream-records.ts'

const PICTURE = '/evidence/1.png'

type Given = { address?: (origin: string) => string; evidenceHosts?: readonly string[] }

async function start(
  picture: StandInReply,
  { address = (origin) => origin + PICTURE, ...given }: Given = {},
) {
  const standIn = await startStandInUpstream()
  const evidence = [{ type: 'screenshot', url: address(standIn.url) }]
  standIn.play('/api/feed/thr_1', { json: earlierDetail({ evidence }) })
  standIn.play(PICTURE, picture)
  const { ask, wait } = await createTestData({ upstream: { url: standIn.url }, ...given })
  const see = () => ask('/bff/threats/thr_1/evidence/0?set=earlier')
  const calls = () => standIn.calls.filter(({ path }) => path === PICTURE)
  return { standIn, ask, wait, see, calls }
}

const blank = sharp({ create: { width: 40, height: 20, channels: 3, background: '#0a8' } })

describe('encodes again as WebP', () => {
  test.each(['png', 'jpeg', 'webp'] as const)('a %s', async (format) => {
    const { see } = await start({ raw: await blank.clone().toFormat(format).toBuffer() })
    const response = await see()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/webp')
    const drawn = await sharp(await response.arrayBuffer()).metadata()
    expect(drawn).toMatchObject({ format: 'webp', width: 40, height: 20 })
  })

  test('upright, and without what else the file carried', async () => {
    const raw = await blank
      .clone()
      .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: 'canary' } } })
      .jpeg()
      .toBuffer()
    const { see } = await start({ raw })
    const bytes = Buffer.from(await (await see()).arrayBuffer())
    const drawn = await sharp(bytes).metadata()
    expect(drawn).toMatchObject({ width: 20, height: 40 })
    expect(drawn.exif).toBeUndefined()
    expect(raw.includes('canary')).toBe(true)
    expect(bytes.includes('canary')).toBe(false)
  })
})

test('fetches a picture once for all who look, and sends no key', async () => {
  const { see, calls } = await start({ raw: await blank.clone().png().toBuffer() })
  await Promise.all(Array.from({ length: 20 }, see))
  await see()
  expect(calls()).toHaveLength(1)
  expect(calls()[0]?.headers).toEqual({
    host: expect.any(String),
    connection: 'keep-alive',
    accept: 'image/png, image/jpeg, image/webp',
    'accept-encoding': 'identity',
  })
})

test('hosts that never answer delay no other picture', async () => {
  const { standIn, ask, calls } = await start({ act: () => {} })
  const fine = '/evidence/2.png'
  standIn.play(fine, { raw: await blank.clone().png().toBuffer() })
  const address = (path: string) => ({ type: 'screenshot', url: standIn.url + path })
  const evidence = [...[1, 2, 3].map((at) => address(`${PICTURE}?${at}`)), address(fine)]
  standIn.play('/api/feed/thr_1', { json: earlierDetail({ evidence }) })
  const see = (index: number) => ask(`/bff/threats/thr_1/evidence/${index}?set=earlier`)
  let ended = 0
  for (const index of [0, 1, 2]) void see(index).then(() => ended++)
  await expect.poll(() => calls().length).toBe(3)
  expect((await see(3)).status).toBe(200)
  expect(ended).toBe(0)
})

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>'
const png = await blank.clone().png().toBuffer()
const huge = sharp({ create: { width: 4_100, height: 4_000, channels: 3, background: '#fff' } })

describe('says why there is no picture', () => {
  test.each<[string, StandInReply, RegExp]>([
    ['is missing', { status: 404, raw: '' }, /status 404/],
    ['moved', { status: 302, headers: { location: 'https://cdn.example/' }, raw: '' }, /status 302/],
    ['is SVG', { raw: svg, headers: { 'content-type': 'image/png' } }, /not a PNG/],
    ['is GIF', { raw: 'GIF89a…' }, /not a PNG/],
    ['is HTML', { raw: '<html>' }, /not a PNG/],
    ['is nothing', { raw: '' }, /not a PNG/],
    ['is cut off', { raw: png.subarray(0, 60) }, /damaged/],
    [
      'only begins like one',
      { raw: Buffer.concat([png.subarray(0, 8), Buffer.from('not a picture')]) },
      /damaged/,
    ],
    ['is 6 MiB', { raw: Buffer.concat([png, Buffer.alloc(6 * 1024 * 1024)]) }, /larger than 5 MiB/],
    ['hangs up', { act: (response) => response.destroy() }, /cannot be reached/],
  ])('when it %s', async (_, reply, reason) => {
    const { see } = await start(reply)
    expect(await readProblem(await see())).toMatchObject({
      status: 422,
      code: 'picture_unavailable',
      detail: expect.stringMatching(reason),
    })
  })

  test('when it declares more than 16 million pixels', async () => {
    const { see } = await start({ raw: await huge.png().toBuffer() })
    expect(await readProblem(await see())).toMatchObject({ detail: expect.stringMatching(/16 million/) })
  })

  test('when it is a JPEG whose scans would take long, however small the file is', async () => {
    const picture = sharp({ create: { width: 4_000, height: 4_000, channels: 3, background: '#fff' } })
    const plain = await picture.jpeg({ progressive: true }).toBuffer()
    const end = plain.length - 2
    const scan = plain.subarray(plain.lastIndexOf(Buffer.from([0xff, 0xda])), end)
    const raw = Buffer.concat([plain.subarray(0, end), ...Array<Buffer>(10).fill(scan), plain.subarray(end)])
    const { see } = await start({ raw })
    expect(await readProblem(await see())).toMatchObject({ detail: expect.stringMatching(/too many scans/) })
    const usual = await start({ raw: await blank.clone().jpeg({ progressive: true }).toBuffer() })
    expect((await usual.see()).status).toBe(200)
  })

  test('with at most 2.5 seconds of processor time for the most expensive picture', async () => {
    const channels = 3
    const noise = Buffer.alloc(4_000 * 4_000 * channels)
    for (let at = 0; at < noise.length; at++) noise[at] = (at * 2_654_435_761) >>> 24
    const raw = await sharp(noise, { raw: { width: 4_000, height: 4_000, channels } })
      .jpeg({ quality: 10, progressive: true })
      .toBuffer()
    const { see } = await start({ raw })
    const before = process.cpuUsage()
    expect([200, 422]).toContain((await see()).status)
    const { user, system } = process.cpuUsage(before)
    // Microseconds; what else the process does is in them.
    expect(user + system).toBeLessThan(2_500_000)
  })

  test.each(['http://127.0.0.1:9/x.png', 'https://10.0.0.1/x.png', 'https://abcdef.onion/x.png'])(
    'when it lies at %s',
    async (address) => {
      const { see } = await start({}, { address: () => address })
      expect(await readProblem(await see())).toMatchObject({
        code: 'picture_unavailable',
        detail: 'Pictures are not fetched from such an address.',
      })
    },
  )

  test('when its host is not in EVIDENCE_HOSTS', async () => {
    const evidenceHosts = ['cdn.example']
    const elsewhere = await start({}, { address: () => 'https://evil.example/x.png', evidenceHosts })
    expect(await readProblem(await elsewhere.see())).toMatchObject({
      code: 'picture_unavailable',
      detail: 'Pictures are not fetched from evil.example: EVIDENCE_HOSTS does not name it.',
    })
    const unset = await start({}, { address: () => 'https://cdn.example/x.png' })
    expect((await readProblem(await unset.see())).detail).toContain('cdn.example: EVIDENCE_HOSTS')
    const { see } = await start({ raw: png }, { evidenceHosts })
    expect((await see()).status).toBe(200)
  })

  test('and requests it again after a minute', async () => {
    const { standIn, see, wait, calls } = await start({ status: 500, raw: '' })
    await see()
    standIn.play(PICTURE, { raw: png })
    expect((await see()).status).toBe(422)
    expect(calls()).toHaveLength(1)
    wait(60_000)
    expect((await see()).status).toBe(200)
  })
})

test.each(['1', '999'])('there is no evidence %s that the threat does not have', async (index) => {
  const { ask } = await start({ raw: png })
  expect(await readProblem(await ask(`/bff/threats/thr_1/evidence/${index}?set=earlier`))).toMatchObject({
    code: 'not_found',
  })
})

test.each(['-1', '1e1', 'x', '1000'])('%s is no evidence', async (index) => {
  const { ask, standIn } = await start({ raw: png })
  expect((await ask(`/bff/threats/thr_1/evidence/${index}`)).status).toBe(400)
  expect(standIn.calls).toEqual([])
})
