import { execFile } from 'node:child_process'
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '#contract/duration.ts'
import { NOBODY } from '#database/embedded/postgres-user.ts'
import { startCluster } from '#database/embedded/start-cluster.ts'
import { openDatabase } from '#database/open-database.ts'
import { environmentWith } from '#settings/settings.ts'
import { makeDataDir } from '#test/support/data-dir.ts'
import { type RunningLantern, startLantern } from '#test/support/start-lantern.ts'

/**
 * What releases wrote when they were used through their front door: `pg_dump --inserts`, and their secrets. 0.1.0 is commit
 * e0cc09e. 0.2.0 is commit bafbffc, which had taken over the databases of 0.1.0 and been used in the same way.
 */
const RELEASES = [
  { version: '0.1.0', fixture: 'data-folder-0.1', madeOn: '2026-11-23T00:34Z', auditRecords: 18 },
  { version: '0.2.0', fixture: 'data-folder-0.2', madeOn: '2026-11-24T15:45Z', auditRecords: 21 },
] as const
type Release = (typeof RELEASES)[number]
const PASSWORD = 'of-the-superuser'
/** Where its own service was: the window and the key of the settings belong to that address. */
const SERVICE_PORT = '28157'
const SERVICE_TOKEN = 'ltn_dkX5Q7rGCiCHsvv5mJNM9D47LWvZIwLO16sXboMEtZ03D36RW'
const FEED = '/feeds/eV2K4bejuLxQOXvNeLHfq_IU0_nz7EeVistFi_OUsDw.atom'
const THREATS = {
  northwind: 'thr_TsBiG9V5ZskSe2I-dwJA',
  clearLake: 'thr_1Mh5m3Oq0rShC5wniWoc',
  harbour: 'thr_SCkEhmhmQbh26sZ3CSLS',
  bank: 'thr_SnEq_DhSCLEughfNFy6d',
  files: 'thr_UE11aPPTuRpR0swQq_T2',
}
const ADA = { name: 'Ada Lovelace', email: 'ada@lantern.example', password: 'correct horse battery' }
const BOB = { name: 'Bob', email: 'bob@lantern.example', password: 'tortoise battery stapler' }

test.each(RELEASES)(
  'a data folder of $version has all that was in it',
  { timeout: 180_000 },
  async (release) => {
    const dataDir = await layOutDataDir(release)
    const start = () =>
      startLantern({ dataDir, settings: { DEMO: 'off', SERVICE_PORT }, flags: ['--without-app'] })
    const lantern = await start()
    onTestFinished(() => lantern.stop().then(() => {}))
    const [ada, bob] = [await signIn(lantern, ADA), await signIn(lantern, BOB)]

    expect(await ada('/bff/users')).toMatchObject({
      users: expect.arrayContaining([
        expect.objectContaining({ email: ADA.email, name: ADA.name, role: 'admin', state: 'active' }),
        expect.objectContaining({ email: BOB.email, name: BOB.name, role: 'analyst', state: 'active' }),
        expect.objectContaining({ email: 'cyd@lantern.example', role: 'viewer', state: 'invited' }),
      ]),
    })
    expect(await ada('/bff/profile')).toMatchObject({
      name: 'Ada Lovelace',
      preferences: { theme: 'dark', timeZone: 'Europe/Berlin', countries: ['DE'], industries: ['Finance'] },
    })

    const threats = () => ada('/bff/threats?timeZone=UTC')
    await expect.poll(threats, { timeout: 20_000 }).toMatchObject({ total: 5 })
    // Releases before 0.3 knew no cases. Claims that they stored are compared in the background.
    for (const id of [THREATS.northwind, THREATS.files])
      await expect
        .poll(() => ada(`/bff/threats/${id}/case`), { timeout: 20_000 })
        .toMatchObject({ isComparing: false, found: { claimCount: 2, actorCount: 1 } })
    expect(await ada(`/bff/threats/${THREATS.bank}/case`)).toMatchObject({ found: { claimCount: 1 } })

    expect(await ada('/bff/triage/states', { ids: Object.values(THREATS) })).toMatchObject({
      states: expect.arrayContaining([
        expect.objectContaining({
          id: THREATS.northwind,
          starred: expect.objectContaining({ who: BOB.name }),
          notes: 1,
        }),
        expect.objectContaining({ id: THREATS.clearLake, read: expect.objectContaining({ who: ADA.name }) }),
        expect.objectContaining({
          id: THREATS.harbour,
          closed: expect.objectContaining({ reason: 'duplicate', text: 'As of yesterday.' }),
        }),
      ]),
    })
    expect(await ada(`/bff/triage/${THREATS.northwind}/history`)).toMatchObject({
      events: [
        // The other claim of its case had no star.
        { action: 'star', who: 'Lantern' },
        ...(release.version === '0.2.0' ? [{ action: 'note', text: 'Written by 0.2.0.' }] : []),
        { action: 'read', who: ADA.name },
        { action: 'note', who: BOB.name, text: 'Called the victim; they know.' },
        { action: 'star', who: BOB.name },
      ],
    })
    expect(await ada(`/bff/triage/${THREATS.bank}/history`)).toMatchObject({
      events: [{ action: 'undo' }, { action: 'star', isUndone: true }],
    })

    const shared = { name: 'Ransomware in Germany', isShared: true, hasFeed: true, timeZone: 'Europe/Berlin' }
    const filter = { category: ['Ransomware'], country: ['DE'] }
    expect(await ada('/bff/views')).toMatchObject({
      views: [
        { ...shared, filter, owner: { name: 'Bob' } },
        { name: 'Starred', isDefault: true, filter: { triage: 'starred' } },
      ],
    })
    expect(await (await fetch(new URL(FEED, lantern.url))).text()).toContain(
      'Northwind Traders on a leak site',
    )
    expect(await bob('/bff/alerts?timeZone=UTC')).toMatchObject({
      profiles: [{ name: 'Our suppliers', keywords: ['northwind', '"clear lake"'], triggeredCount: 1 }],
    })

    expect(await ada('/bff/keys')).toMatchObject({ keys: { v1: { from: 'settings' } } })
    expect(await ada('/bff/service-keys')).toMatchObject({
      keys: expect.arrayContaining([
        expect.objectContaining({ account: 'team', name: 'script', status: 'active' }),
      ]),
    })
    const api = await fetch(new URL('/api/v1/threats', lantern.serviceUrl), {
      headers: { authorization: `Bearer ${SERVICE_TOKEN}` },
    })
    expect(api.status).toBe(200)

    const actions = JSON.stringify(await ada('/bff/audit'))
    for (const action of [
      'sign-in-failed',
      'user-created',
      'triage-changed',
      'view-created',
      'alert-created',
      'key-replaced',
    ])
      expect(actions).toContain(`"${action}"`)
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [fileURLToPath(new URL('../../src/commands/audit.ts', import.meta.url)), 'verify'],
      { env: environmentWith({ DATA_DIR: dataDir }) },
    )
    // With the two sign-ins above, each from a new device.
    expect(stdout).toContain(`${release.auditRecords + 4} records, as they were written`)

    for (const path of ['overview', 'actors', 'countries', 'metrics', 'source', 'alerts?timeZone=UTC'])
      await bob(`/bff/${path}`)
  },
)

/** As these releases had it: both databases of the superuser, who is `nobody` where that was root. */
async function layOutDataDir({ fixture, madeOn }: Release): Promise<string> {
  const from = new URL(`../fixtures/${fixture}/`, import.meta.url)
  const dataDir = await makeDataDir()
  onTestFinished(() => rm(dataDir, { recursive: true }))
  for (const name of ['secret', 'service-key']) {
    await writeFile(join(dataDir, name), await readFile(new URL(name, from)), { mode: 0o600 })
  }
  await writeFile(join(dataDir, 'postgres-password'), PASSWORD, { mode: 0o600 })
  const folder = join(dataDir, 'postgres')
  await mkdir(folder, { mode: 0o700 })
  if (process.getuid?.() === 0) await chown(folder, NOBODY.uid, NOBODY.gid)

  const cluster = await startCluster({ folder, password: PASSWORD, log: () => {} })
  const admin = await openDatabase({ url: cluster.url('postgres'), max: 1 })
  for (const [name, dump] of [
    ['lantern_bff', 'dashboard.sql'],
    ['lantern_service', 'service.sql'],
  ] as const) {
    await admin.query(`create database ${name}`)
    const database = await openDatabase({ url: cluster.url(name), max: 1 })
    await database.query(asOfToday(await readFile(new URL(dump, from), 'utf8'), madeOn))
    await database.close()
  }
  await admin.close()
  await cluster.stop()
  return dataDir
}

/** Moves all dates by the whole days since it was made: what is stored is of the last 30 days, and nothing of the future. */
function asOfToday(sql: string, madeOn: string): string {
  const days = Math.floor((Date.now() - Date.parse(madeOn)) / DAY_MS)
  return sql.replace(/\b2026-(?:09|11)-\d\d(?=[ T'])/g, (date) =>
    new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10),
  )
}

async function signIn({ url }: RunningLantern, { email, password }: typeof ADA) {
  const headers = { 'x-lantern': '1', 'content-type': 'application/json' }
  const signedIn = await fetch(new URL('/bff/sign-in', url), {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password }),
  })
  expect(signedIn.status).toBe(200)
  const cookie = signedIn.headers.getSetCookie().at(0)?.split(';').at(0) ?? ''
  return async (path: string, body?: unknown): Promise<unknown> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(new URL(path, url), { ...init, headers: { ...headers, cookie } })
    expect(answer.status, path).toBe(200)
    return answer.json()
  }
}
