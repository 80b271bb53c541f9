import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withDatabase } from '#test/support/with-database.ts'
import { keepServiceKey } from './keep-service-key.ts'

let dataDir = ''
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'lantern-key-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

test(
  'uses the same service key on every start, until the service deletes it',
  withDatabase('service', async (service) => {
    const first = await keepServiceKey(dataDir, service)
    expect(await keepServiceKey(dataDir, service)).toBe(first)

    await service.query('delete from api_key')
    const second = await keepServiceKey(dataDir, service)
    expect(second).not.toBe(first)
    expect(await keepServiceKey(dataDir, service)).toBe(second)
  }),
)
