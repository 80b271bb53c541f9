import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import packageFacts from '#package.json' with { type: 'json' }
import { makeBackupFile, makePlace } from './support/restore-place.ts'

test('a backup says which code wrote it', { timeout: 90_000 }, async () => {
  const { file } = await makeBackupFile()
  const place = await makePlace(file, { isFilled: true })
  await place.backUp({ passphrase: '', hasSecrets: false })

  const bytes = await readFile(file)
  const [header = ''] = gunzipSync(bytes.subarray(bytes.indexOf('\n') + 1))
    .toString()
    .split('\n', 1)
  const commit = expect.stringMatching(/^(?:[0-9a-f]{12,}(?:-dirty)?|unknown)$/)
  expect(JSON.parse(header)).toMatchObject({ part: 'backup', lantern: packageFacts.version, commit })
  const said = await (await makePlace(file)).restore({ passphrase: '', isUnsealedAllowed: true })
  expect(said.join('\n')).toMatch(/made by Lantern \S+ \((?:[0-9a-f]{12}|unknown)/)
})
