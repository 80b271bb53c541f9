import { expect, test } from 'vitest'
import { auditPageSchema } from '#contract/bff/audit.ts'
import { keysSchema } from '#contract/bff/key.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { readProblem } from '#test/support/ask-bff.ts'
import { type StandInCall, startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { startSignedIn } from '#test/support/start-signed-in.ts'
import { v1List, v1Record } from '#test/support/upstream-records.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const OLD = 'key-of-the-environment-0001'
const NEW = 'key-of-the-settings-0002'
const LIST = '/api/v1/threats'
const FEED = '/api/feed'

const keyIn = ({ headers }: StandInCall) => headers.authorization?.slice('Bearer '.length)

/** A vendor that knows some keys, each by its own record. */
async function startVendor(known: readonly string[] = [OLD, NEW]) {
  const standIn = await startStandInUpstream()
  const keys = new Set(known)
  standIn.play(LIST, (call) => {
    const key = keyIn(call) ?? ''
    if (!keys.has(key)) return { status: 401, json: { error: 'Invalid key' } }
    return { json: v1List([v1Record({ id: `of-${key.slice(-4)}`, published_at: new Date().toISOString() })]) }
  })
  standIn.play(FEED, { status: 403, json: { error: 'Professional or Enterprise is needed' } })
  return {
    standIn,
    keys,
    callsBy: (key: string) => standIn.calls.filter((call) => keyIn(call) === key).length,
  }
}

async function startDashboard(database: OpenDatabase, url: string, apiKey: string | null = OLD) {
  const bff = await startSignedIn(database, { upstream: { url, ...(apiKey && { apiKey }), kind: 'vendor' } })
  return {
    ...bff,
    keys: async () => keysSchema.parse(await (await bff.ask('/bff/keys')).json()).keys,
    replace: (key: string, set = 'v1') => bff.ask(`/bff/keys/${set}`, { method: 'PUT', body: { key } }),
    storedIds: async () => {
      const { threats } = await (await bff.ask('/bff/threats')).json()
      return threats.map(({ id }: { id: string }) => id)
    },
  }
}

test('an admin replaces the key, every process uses it, and stored records stay', async () => {
  const database = await takeDatabase('bff')
  const vendor = await startVendor()
  const first = await startDashboard(database, vendor.standIn.url)
  const second = await startDashboard(database, vendor.standIn.url)
  await expect.poll(second.storedIds).toEqual(['of-0001'])

  const answer = await first.replace(NEW)
  const text = await answer.text()
  expect(answer.status).toBe(200)
  expect(text).not.toContain(NEW)
  expect(keysSchema.parse(JSON.parse(text)).keys.v1).toMatchObject({
    from: 'settings',
    lastFour: '0002',
    setBy: 'ada@example.com',
    status: 'valid',
  })
  for (const { keys, storedIds } of [first, second]) {
    const both = expect.arrayContaining(['of-0001', 'of-0002'])
    await expect.poll(storedIds).toEqual(both)
    expect((await keys()).v1).toMatchObject({ from: 'settings', lastFour: '0002' })
  }

  const { events } = auditPageSchema.parse(await (await first.ask('/bff/audit?action=key-replaced')).json())
  expect(events).toMatchObject([{ object: 'v1', before: { lastFour: '0001' }, after: { lastFour: '0002' } }])
  const { rows } = await database.query(`select encode(sealed, 'escape') as text from api_key`)
  expect(JSON.stringify([rows, first.logged, second.logged])).not.toContain(NEW)
})

test('a key that the vendor refuses replaces none, and says so at its field', async () => {
  const database = await takeDatabase('bff')
  const vendor = await startVendor([OLD])
  const { replace, keys, ask, logged } = await startDashboard(database, vendor.standIn.url)
  const problem = await readProblem(await replace(NEW))
  expect(problem).toMatchObject({ status: 400, fields: [{ name: 'key', words: 'Invalid key' }] })
  expect((await keys()).v1).toMatchObject({ from: 'environment', lastFour: '0001' })
  expect(vendor.callsBy(NEW)).toBe(1)
  const { events } = auditPageSchema.parse(await (await ask('/bff/audit?action=key-refused')).json())
  expect(events).toHaveLength(1)
  expect(JSON.stringify([problem, events, logged])).not.toContain(NEW)

  // The key is used as soon as the vendor knows it, without waiting for the next retry.
  vendor.keys.add(NEW)
  expect((await replace(NEW)).status).toBe(200)
})

test('shows since when the vendor refuses a key in use, and its last words', async () => {
  const database = await takeDatabase('bff')
  const vendor = await startVendor([])
  const { ask, keys } = await startDashboard(database, vendor.standIn.url)
  await ask('/bff/threats')
  await expect.poll(async () => (await keys()).v1.status).toBe('refused')
  const { refusal } = (await keys()).v1
  expect(refusal).toEqual({
    at: expect.any(String),
    words: 'Invalid key',
    retryAt: expect.any(String),
  })
  expect(Date.parse(refusal?.at ?? '')).toBeLessThan(Date.parse(refusal?.retryAt ?? ''))
})

test('an unreachable vendor or a malformed key changes nothing', async () => {
  const database = await takeDatabase('bff')
  const vendor = await startVendor()
  const { replace, keys } = await startDashboard(database, vendor.standIn.url)
  vendor.standIn.play(LIST, { status: 503, raw: '' })
  expect(await readProblem(await replace(NEW))).toMatchObject({ code: 'upstream_unavailable' })
  expect(await readProblem(await replace('two words'))).toMatchObject({ fields: [{ name: 'key' }] })
  expect((await keys()).v1.from).toBe('environment')
})

test('a call under way ends on the key that it began with', async () => {
  const database = await takeDatabase('bff')
  const vendor = await startVendor()
  const { replace, ask } = await startDashboard(database, vendor.standIn.url)
  const { promise, resolve } = Promise.withResolvers<void>()
  vendor.standIn.play('/api/v1/threat-actors', async (call) => {
    if (keyIn(call) === OLD) await promise
    return { json: { data: [{ name: keyIn(call), mentions: 1 }] } }
  })
  vendor.standIn.play('/api/v1/countries/DE', async (call) => {
    await promise
    return {
      json: { data: { country: 'Germany', code: 'DE', summary: `Read by ${keyIn(call)?.slice(-4)}` } },
    }
  })
  // A person's refresh waits for the vendor, however long replacing the key takes.
  const waiting = ask('/bff/countries/DE', { headers: { 'x-lantern-refresh': '1' } })
  await expect.poll(() => vendor.standIn.calls.some(({ path }) => path.includes('countries'))).toBe(true)
  await replace(NEW)
  resolve()
  expect(await (await waiting).text()).toContain('Read by 0001')
  expect(await (await ask('/bff/countries/DE')).text()).not.toContain('Read by 0001')
})

test("deleting a stored key restores the environment's, and a stored key survives a restart", async () => {
  const database = await takeDatabase('bff')
  const vendor = await startVendor()
  const first = await startDashboard(database, vendor.standIn.url, null)
  expect((await first.keys()).v1).toMatchObject({ from: null, status: 'missing' })
  expect((await first.replace(NEW)).status).toBe(200)
  await first.close()

  const second = await startDashboard(database, vendor.standIn.url)
  expect(await second.keys()).toMatchObject({
    v1: { from: 'settings', lastFour: '0002' },
    earlier: { isShared: true, lastFour: '0002', state: { status: 'unknown' } },
  })
  const answer = await second.ask('/bff/keys/v1', { method: 'DELETE' })
  expect(keysSchema.parse(await answer.json()).keys.v1).toMatchObject({ from: 'environment' })
  expect((await second.ask('/bff/keys/v1', { method: 'DELETE' })).status).toBe(404)
})

test('a key sealed with another secret is not used, and is reported as unreadable', async () => {
  const database = await takeDatabase('bff')
  const vendor = await startVendor()
  const first = await startDashboard(database, vendor.standIn.url)
  await first.replace(NEW)
  await first.close()
  await database.query('update api_key set sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)')
  const second = await startDashboard(database, vendor.standIn.url)
  expect((await second.keys()).v1).toMatchObject({ from: 'environment', isUnreadable: true })
})

test('a vendor that rejects the request of the trial is quoted, and no filter is blamed', async () => {
  const vendor = await startVendor()
  const { replace } = await startDashboard(await takeDatabase('bff'), vendor.standIn.url)
  vendor.standIn.play(LIST, { status: 400, json: { error: 'Malformed key' } })
  const problem = await readProblem(await replace(NEW))
  expect(problem.fields).toEqual([
    {
      name: 'key',
      reason: expect.stringContaining('Look whether the key is complete'),
      words: 'Malformed key',
    },
  ])
})

test('a key for the earlier set alone is tried there alone', async () => {
  const database = await takeDatabase('bff')
  const vendor = await startVendor()
  const { replace, keys } = await startDashboard(database, vendor.standIn.url)
  const problem = await readProblem(await replace(NEW, 'earlier'))
  expect(problem.fields?.[0]?.reason).toContain('plan')
  vendor.standIn.play(FEED, { json: { threats: [], pagination: { total: 0, limit: 1, offset: 0 } } })
  // The vendor has corrected the plan: no refusal of before stands in the way.
  expect((await replace(NEW, 'earlier')).status).toBe(200)
  expect(await keys()).toMatchObject({
    v1: { lastFour: '0001' },
    earlier: { from: 'settings', lastFour: '0002', isShared: false },
  })
})
