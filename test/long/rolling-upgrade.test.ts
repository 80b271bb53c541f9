import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { verifyAudit } from '#bff/accounts/audit/verify-audit.ts'
import type { Cluster } from '#database/embedded/start-cluster.ts'
import { migrate } from '#database/migrate.ts'
import { openDatabase } from '#database/open-database.ts'
import { makeDataDir } from '../support/data-dir.ts'
import { makeSharedSettings, startSharedCluster, THREAT } from '../support/several-nodes.ts'
import { ADMIN, type RunningLantern, spawnLantern, startLantern } from '../support/start-lantern.ts'
import { unpackLastRelease } from '../support/unpack-last-release.ts'

const MIGRATIONS = new URL('../../src/bff/migrations/', import.meta.url)
const DELIVERY = new URL('../../src/delivery/migrations/', import.meta.url)
const WRITE_PAUSE_MS = 50

/** The members that both releases have. */
const historySchema = z.object({ events: z.array(z.object({ action: z.string() })) })
const totalSchema = z.object({ total: z.nullable(z.int()) })

let cluster: Cluster
beforeAll(async () => {
  const shared = await startSharedCluster()
  cluster = shared.cluster
  return shared.remove
}, 60_000)

test('a node of the last release works during the migration of the first new one', {
  timeout: 240_000,
}, async ({ annotate }) => {
  const release = await unpackLastRelease()
  if (typeof release === 'string') {
    await annotate(`NOT RUN: ${release}`, 'warning')
    console.warn(`The rolling upgrade was not tried: ${release}`)
    return
  }
  onTestFinished(release.remove)
  const settings = await makeSharedSettings(cluster)
  const flags = ['--without-app']
  const before = {
    settings,
    flags,
    cwd: release.path,
    command: [process.execPath, join(release.path, 'src/main.ts')] as const,
  }
  const old = await startLantern(before)
  onTestFinished(() => void old.stop('SIGKILL'))
  const cookie = await signIn(old)
  const totalOf = async (node: RunningLantern) =>
    totalSchema.parse(await (await ask(node, cookie, '/bff/threats')).json()).total
  await expect.poll(() => totalOf(old), { timeout: 10_000 }).toBe(1)

  const writing = new AbortController()
  const written = writeNotes(old, cookie, writing.signal)
  await sleep(1_000)
  const next = await startLantern({ settings, flags })
  onTestFinished(() => void next.stop('SIGKILL'))
  await sleep(2_000)
  writing.abort()
  const { acknowledged, refused } = await written
  await annotate(
    `${acknowledged.length} notes by a node of ${release.version} while its schema changed, ${refused.length} refused`,
  )
  expect(refused).toEqual([])

  expect([await totalOf(old), await totalOf(next)]).toEqual([1, 1])
  // What is done at either is there at both, for sessions of either.
  const cookies = { old: cookie, next: await signIn(next) }
  await write(next, cookies.old, { action: 'note', ids: [THREAT], text: 'by the new one' })
  await write(old, cookies.next, { action: 'star', ids: [THREAT] })
  for (const node of [old, next]) {
    for (const each of Object.values(cookies)) {
      const { events } = historySchema.parse(
        await (await ask(node, each, `/bff/triage/${THREAT}/history`)).json(),
      )
      expect(events.slice(0, 2).map(({ action }) => action)).toEqual(['star', 'note'])
    }
  }
  for (const path of [
    '/bff/threats',
    '/bff/overview',
    '/bff/source',
    '/bff/views',
    '/bff/users',
    '/bff/audit?timeZone=UTC',
  ])
    for (const node of [old, next]) expect((await ask(node, cookies.old, path)).status, path).toBe(200)
  const invited = await ask(old, cookies.old, '/bff/users', {
    email: 'grace@lantern.example',
    name: 'Grace',
    role: 'analyst',
  })
  expect(invited.ok, await invited.text()).toBe(true)
  await old.stop()

  const database = await openDatabase({ url: settings.DATABASE_URL })
  const { rows } = await database.query(`select text from triage_event where action = 'note' order by id`)
  expect(rows).toEqual([...acknowledged, 'by the new one'].map((text) => ({ text })))
  // One audit record after the other, by whichever version.
  expect(await verifyAudit(database)).toMatchObject({ faults: [] })
  await database.close()

  // It cannot know whether it could go on: from the next release on migrations say so.
  const again = await spawnLantern(before)
  expect(await Promise.race([once(again.child, 'close').then(([code]) => code), sleep(30_000)])).toBe(1)
  expect(again.output().trim()).toMatch(
    /^The database was migrated by a newer Lantern \(it has migration \d+\): run that one$/,
  )
  await again.stop()
  await next.stop()
})

test('a node continues after a compatible upgrade, and exits with one line after another', {
  timeout: 120_000,
}, async () => {
  const settings = await makeSharedSettings(cluster)
  const node = await startLantern({ settings, flags: ['--without-app'] })
  onTestFinished(() => void node.stop('SIGKILL'))
  const cookie = await signIn(node)
  const folder = await makeDataDir()
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const own of [MIGRATIONS, DELIVERY]) await cp(own, folder, { recursive: true })
  const database = await openDatabase({ url: settings.DATABASE_URL, max: 1, statementTimeoutMs: 0 })
  onTestFinished(database.close)

  await writeFile(
    join(folder, '0901-expand.sql'),
    '-- Goes with Lanterns that know 0001.\nalter table account add column badge text;\n',
  )
  await migrate(database, pathToFileURL(folder))
  await sleep(1_000)
  await write(node, cookie, { action: 'star', ids: [THREAT] })
  const second = await startLantern({ settings, flags: ['--without-app'] })
  await second.stop()

  const closed = once(node.child, 'close')
  await writeFile(join(folder, '0902-contract.sql'), 'alter table account drop column badge;\n')
  await migrate(database, pathToFileURL(folder))
  const [code] = await closed
  expect(code).toBe(1)
  const line =
    /^The database was migrated by a newer Lantern \(it has migration 902\), beside which this version cannot run: replace it by that one$/m
  expect(node.output().match(new RegExp(line, 'gm'))).toHaveLength(1)
  const again = await spawnLantern({ settings, flags: ['--without-app'] })
  await once(again.child, 'close')
  expect(again.output()).toMatch(line)
  await again.stop()
})

function ask({ url }: RunningLantern, cookie: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-lantern': '1', cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function signIn(node: RunningLantern): Promise<string> {
  const response = await ask(node, '', '/bff/sign-in', ADMIN)
  expect(response.ok, await response.text()).toBe(true)
  return response.headers.getSetCookie().at(0)?.split(';').at(0) ?? ''
}

async function write(node: RunningLantern, cookie: string, body: unknown): Promise<void> {
  const response = await ask(node, cookie, '/bff/triage', body)
  expect(response.ok, await response.text()).toBe(true)
}

async function writeNotes(node: RunningLantern, cookie: string, signal: AbortSignal) {
  const acknowledged: string[] = []
  const refused: string[] = []
  while (!signal.aborted) {
    const text = randomUUID()
    const response = await ask(node, cookie, '/bff/triage', { action: 'note', ids: [THREAT], text })
    if (response.ok) acknowledged.push(text)
    else refused.push(`${response.status} ${await response.text()}`)
    await sleep(WRITE_PAUSE_MS)
  }
  return { acknowledged, refused }
}
