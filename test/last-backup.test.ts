import { expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { openDatabase } from '#database/open-database.ts'
import { makeBackupFile, makePlace } from './support/restore-place.ts'
import { startSignedIn } from './support/start-signed-in.ts'

const FIGURE = /^lantern_last_backup_timestamp_seconds (\d+(?:\.\d+)?)$/m

test('a running dashboard has the time of the last backup in its metrics', { timeout: 90_000 }, async () => {
  const { file } = await makeBackupFile()
  const place = await makePlace(file, { isFilled: true })
  const database = await openDatabase({ url: place.url })
  onTestFinished(database.close)
  const metricsPort = await findFreePort()
  const upstream = { url: 'http://127.0.0.1:9', apiKey: 'key-of-the-tests', kind: 'vendor' } as const
  const dashboard = await startSignedIn(database, { upstream, metricsPort })
  const readFigure = async () =>
    Number(FIGURE.exec(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text())?.[1])
  expect(await readFigure()).toBe(0)

  const startedAt = Date.now() / 1_000
  await place.backUp()
  const first = await readFigure()
  expect(first).toBeGreaterThan(startedAt - 1)
  expect(first).toBeLessThan(Date.now() / 1_000 + 1)
  await place.backUp()
  expect(await readFigure()).toBeGreaterThan(first)
  await dashboard.close()
})

test('a backup whose time cannot be recorded is whole, and says so', { timeout: 90_000 }, async () => {
  const { file } = await makeBackupFile()
  const place = await makePlace(file, { isFilled: true })
  await place.ask((database) =>
    database.query('alter table last_backup add constraint refuses check (finished_at is null)'),
  )
  const [written, unrecorded] = await place.backUp()
  expect(written).toMatch(/ MB, sealed$/)
  expect(unrecorded).toMatch(/^The backup is whole, but the database could not record its time \(.*refuses/)
})

test('a backup of a database of an earlier version leaves it as it is', { timeout: 90_000 }, async () => {
  const { file } = await makeBackupFile()
  const place = await makePlace(file, { isFilled: true })
  await place.ask((database) => database.query('drop table last_backup'))
  const said = await place.backUp()
  expect(said).toEqual([expect.stringMatching(/ MB, sealed$/)])
})
