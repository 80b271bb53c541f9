import sharp from 'sharp'
import { expect, test } from 'vitest'
import { openServiceClient } from '#test/support/service/open-service-client.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { publicEvidenceUrl } from './evidence-name.ts'

const SERVICE = { publicUrl: 'https://service.example', secret: 'a secret of the tests' }

test(
  'draws the same picture for the same name, and another for another',
  withDatabase('service', async (database) => {
    const { app } = await openServiceClient(database)
    const load = async (url: string) =>
      Buffer.from(await (await app.request(publicEvidenceUrl(url, SERVICE))).arrayBuffer())

    const picture = await load('/evidence/leak-site-7')

    expect(await sharp(picture).metadata()).toMatchObject({ format: 'png', width: 960, height: 600 })
    expect(picture.equals(await load('/evidence/leak-site-7'))).toBe(true)
    const others = ['/evidence/leak-site-8', '/evidence/forum-post-7', '/evidence/file-listing-7']
    for (const other of await Promise.all(others.map(load))) {
      expect((await sharp(other).metadata()).format).toBe('png')
      expect(picture.equals(other)).toBe(false)
    }
  }),
)

test(
  'serves no name that it did not make',
  withDatabase('service', async (database) => {
    const { app } = await openServiceClient(database)
    const url = new URL(publicEvidenceUrl('/evidence/leak-site-7', SERVICE))
    const forged = [
      url.pathname.replace('leak-site-7', 'leak-site-8'),
      url.pathname.replace('.png', 'x.png'),
      url.pathname.replace('.png', ''),
      new URL(publicEvidenceUrl('/evidence/leak-site-7', { ...SERVICE, secret: 'another' })).pathname,
      new URL(publicEvidenceUrl('/evidence/unknown-kind-7', SERVICE)).pathname,
      '/evidence/leak-site-7.png',
      '/evidence/..%2F..%2Fetc%2Fpasswd',
    ]
    for (const path of forged) expect((await app.request(path)).status).toBe(404)
    expect((await app.request(url.pathname)).status).toBe(200)
  }),
)

test("leaves other people's addresses as they are", () => {
  for (const url of [
    'https://pictures.example/evidence/leak-site-7',
    '/elsewhere/7',
    'javascript:alert(1)',
    '',
  ]) {
    expect(publicEvidenceUrl(url, SERVICE)).toBe(url)
  }
})
