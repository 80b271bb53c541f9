import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import * as z from 'zod/mini'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { makePreparedDataDir } from '#test/support/data-dir.ts'
import { startMailServer } from '#test/support/delivery/stand-in-mail-server.ts'
import { importRecord } from '#test/support/import-record.ts'
import { Random } from '#test/support/random.ts'
import { ADMIN, startLantern } from '#test/support/start-lantern.ts'
import { takeDatabase, urlOf } from '#test/support/with-database.ts'

const matchesSchema = z.array(z.object({ event: z.string(), title: z.string() }))
const KILL_WITHIN_MS = 2_000

/**
 * Lantern with its own service is killed and started again so often, at any moment after an import of a record begins. Each
 * record that was imported is in one message, and each message has arrived once.
 */
export async function proveRestarts(rounds: number): Promise<void> {
  const [database, service] = [await takeDatabase('bff'), await takeDatabase('service')]
  const { mail, mails } = await startMailServer()
  const settings = {
    DATABASE_URL: await urlOf(database),
    SERVICE_DATABASE_URL: await urlOf(service),
    SMTP_URL: `smtp://127.0.0.1:${mail.server.port}`,
    MAIL_FROM: 'lantern@corp.example',
    SECRET: 'secret-of-the-tests-and-long-enough',
    DEMO: 'off',
    PORT: String(await findFreePort()),
    // Another one would be another source.
    SERVICE_PORT: String(await findFreePort()),
  }
  const dataDir = await makePreparedDataDir()
  const start = () => startLantern({ flags: ['--without-app'], settings, dataDir })
  let lantern = await start()
  onTestFinished(async () => {
    await lantern.stop('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  })
  const importTitle = (title: string) => importRecord({ dataDir, settings }, title)
  // The first import is of the past.
  await importTitle('Before')
  await expect.poll(() => countOf(database, 'select from window_threat'), { timeout: 30_000 }).toBe(1)
  await createProfile(lantern.url)
  await expect.poll(() => countOf(database, 'select from alert_evaluation'), { timeout: 30_000 }).toBe(1)

  const random = new Random(2026)
  const titles = Array.from({ length: rounds }, (_, round) => `Record ${round}`)
  let startedAt = new Date()
  for (const title of titles) {
    const importing = importTitle(title)
    await sleep(random.next() * KILL_WITHIN_MS)
    lantern.child.kill('SIGKILL')
    await once(lantern.child, 'close')
    await importing
    startedAt = new Date()
    lantern = await start()
  }

  const matches = async () => {
    const { rows } = await database.query(
      `select event, threat ->> 'title' as title from delivery_match order by id`,
    )
    return matchesSchema.parse(rows)
  }
  await expect.poll(async () => (await matches()).length, { timeout: 30_000 }).toBe(rounds)
  expect((await matches()).map(({ title }) => title).sort()).toEqual(titles.toSorted())
  // The minutes pass for which matches are gathered, and for which killed processes had taken messages.
  const isWaiting = 'select from delivery_match where delivery_id is null'
  const isOpen = `select from delivery where state in ('queued', 'sending', 'retrying', 'heldBack')`
  await expect
    .poll(
      async () => {
        await database.query(
          `update delivery_destination
              set gathers_until = least(gathers_until, now()), hour_from = hour_from - interval '1 hour'`,
        )
        await database.query('update delivery set next_attempt_at = now() where next_attempt_at > now()')
        await database.query(
          'update delivery set leased_until = now() where leased_until > now() and touched_at < $1',
          [startedAt],
        )
        return [await countOf(database, isWaiting), await countOf(database, isOpen)]
      },
      { interval: 500, timeout: 60_000 },
    )
    .toEqual([0, 0])
  const ids = mails.map(({ source }) => /^Message-ID: (.+)$/im.exec(source)?.[1])
  expect(new Set(ids).size).toBe(ids.length)
  const [sent, unclear, all] = [
    await countOf(database, `select from delivery where state = 'sent'`),
    await countOf(database, `select from delivery where state = 'unclear'`),
    await countOf(database, 'select from delivery'),
  ]
  expect(sent + unclear).toBe(all)
  // One that was killed between the mail and its answer is left to a person.
  expect(ids.length).toBeGreaterThanOrEqual(sent)
  expect(ids.length).toBeLessThanOrEqual(all)
}

async function countOf(database: OpenDatabase, query: string): Promise<number> {
  return (await database.query(query)).rowCount
}

async function createProfile(url: string): Promise<void> {
  const post = (path: string, body: object, cookie = '') =>
    fetch(new URL(path, url), {
      method: 'POST',
      headers: { 'x-lantern': '1', 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
  const signedIn = await post('/bff/sign-in', ADMIN)
  const cookie = signedIn.headers.getSetCookie().at(0)?.split(';').at(0) ?? ''
  const recipients = [{ channel: 'email', address: 'soc@corp.example' }]
  const profile = { name: 'All', filter: {}, timeZone: 'UTC', isShared: false, recipients }
  expect((await post('/bff/alert-profiles', profile, cookie)).status).toBe(201)
}
