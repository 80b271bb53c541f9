import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createLog } from '#bff/http/log.ts'
import { addEntries } from '#bff/store/lists/entry-queries.ts'
import { insertList, updateList } from '#bff/store/lists/list-queries.ts'
import { createListMatching } from '#bff/store/lists/match-lists.ts'
import { feedAddressListSchema } from '#contract/bff/view.ts'
import type { Database } from '#database/database.ts'
import { readProblem } from '#test/support/ask-bff.ts'
import { withViews } from '#test/support/views/open-views.ts'

/** Adds a list of Ada, an admin, with one entry that threat `a` matches by its domain. Returns the list's id. */
async function addList(
  database: Database,
  list: { name: string; entry: string; isShared: boolean },
): Promise<string> {
  const { rows } = await database.query("select id from account where role = 'admin'")
  const [owner = ''] = rows.map((row) => z.object({ id: z.string() }).parse(row).id)
  const id = await insertList(database, owner, { ...list, kind: 'supplier' })
  await addEntries(database, id, [
    { name: list.entry, domains: ['okapi.example'], note: null, key: null, weight: 'normal' },
  ])
  await createListMatching({ database, log: createLog(() => {}) }).matchUnmatched()
  return id
}

test(
  'a feed names the shared lists that a threat concerns, and no private list, even its owner’s',
  withViews(async ({ ada, app }, database) => {
    const shared = await addList(database, { name: 'Vendors & more', entry: 'Okapi Ltd', isShared: true })
    await addList(database, { name: 'Merger', entry: 'Project Hush', isShared: false })
    const view = await ada.save({ name: 'Ours', filter: { q: 'list:Merger list:Vendors*' } })
    const address = new URL(await ada.openFeed(view.id)).pathname
    const read = async () => (await app.request(address, {}, { peerAddress: '192.0.2.1' })).text()

    const named = await read()
    expect(named).toContain(
      'Concerns us: Supplier: Okapi Ltd (certain: same domain okapi[.]example, list Vendors &amp; more)\n',
    )
    expect(named).not.toMatch(/Merger|Hush/)

    await updateList(database, shared, { isShared: false })
    const unnamed = await read()
    expect(unnamed.match(/<entry>/g)).toHaveLength(1)
    expect(unnamed).not.toMatch(/Concerns us|Okapi Ltd|Vendors|Merger|Hush/)
  }),
)

test(
  'a user who has become a viewer can still delete a feed address',
  withViews(async ({ addPerson, sessions, app }, database) => {
    const person = await addPerson('analyst')
    const view = await person.save()
    const address = await person.openFeed(view.id)
    await database.query(`update account set role = 'viewer' where role = 'analyst'`)
    sessions.forgetAll()

    expect((await person.ask(`/bff/views/${view.id}/feed`, { method: 'DELETE' })).status).toBe(204)
    expect((await app.request(new URL(address).pathname)).status).toBe(404)
  }),
)

test(
  'an empty store, or a view that begins earlier, does not make a feed empty',
  withViews(async ({ ada, app, store }, database) => {
    const view = await ada.save({ filter: { category: ['DDoS'], from: '2020-01-01' } })
    const address = new URL(await ada.openFeed(view.id)).pathname
    const read = () => app.request(address, {}, { peerAddress: '192.0.2.1' })
    expect((await (await read()).text()).match(/<entry>/g)).toHaveLength(1)

    await ada.change(view.id, { name: 'Known by another name' })
    await database.query('delete from window_threat')
    await database.query('delete from window_reach')
    store.forget()
    expect((await readProblem(await read())).code).toBe('window_empty')
  }),
)

test(
  'a view of today follows the current day, in the time zone of the view',
  withViews(async ({ ada, app, clock }) => {
    const view = await ada.save({ filter: { within: '1d' }, timeZone: 'Asia/Tokyo' })
    const address = new URL(await ada.openFeed(view.id)).pathname
    const countEntries = async () => {
      const feed = await app.request(address, {}, { peerAddress: '192.0.2.1' })
      return [...(await feed.text()).matchAll(/<entry>/g)].length
    }
    expect(await countEntries()).toBe(2)
    // The clock moves from 21:00 there to after midnight.
    clock.wait(4 * 3_600_000)
    expect(await countEntries()).toBe(0)
  }),
)

test(
  'returns a view as Atom by its address alone, until the address is renewed or deleted',
  withViews(async ({ ada, app, clock }) => {
    const view = await ada.save()
    const address = await ada.openFeed(view.id)
    const read = (url: string) => app.request(new URL(url).pathname, {}, { peerAddress: '192.0.2.1' })

    const feed = await read(address)
    const xml = await feed.text()
    expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
    expect(feed.headers.get('content-security-policy')).toBeTruthy()
    expect(xml).toContain('see hxxp[:]//evil[.]example &lt;b&gt;')
    expect(xml.match(/<entry>/g)).toHaveLength(1)
    expect((await ada.list())[0]).toMatchObject({ hasFeed: true })

    const anew = await ada.openFeed(view.id)
    expect((await read(address)).status).toBe(404)
    await ada.change(view.id, { filter: {} })
    clock.wait(60_001)
    expect((await (await read(anew)).text()).match(/<entry>/g)).toHaveLength(2)
    await ada.ask(`/bff/views/${view.id}/feed`, { method: 'DELETE' })
    expect((await read(anew)).status).toBe(404)
    for (const name of [
      'x.atom',
      `${'A'.repeat(43)}.atom`,
      '..%2f..%2fbff%2fsession',
      `${'A'.repeat(99)}.atom`,
    ])
      expect((await app.request(`/feeds/${name}`)).status, name).toBeGreaterThanOrEqual(400)
  }),
)

test(
  'a feed address expires when its owner becomes a viewer, and no admin creates another',
  withViews(async ({ ada, addPerson, app }, database) => {
    const person = await addPerson('analyst')
    const view = await person.save({ isShared: true })
    const address = new URL(await person.openFeed(view.id)).pathname
    const read = async () => (await app.request(address)).status
    expect(await read()).toBe(200)

    await database.query(`update account set role = 'viewer' where role = 'analyst'`)
    expect(await read()).toBe(404)
    const refused = await readProblem(await ada.ask(`/bff/views/${view.id}/feed`, { method: 'POST' }))
    expect(refused).toMatchObject({ code: 'conflict', detail: expect.stringMatching(/Save the view/) })
  }),
)

test(
  'only admins list and delete all feed addresses, also those of private views',
  withViews(async ({ ada, addPerson, app }) => {
    const person = await addPerson('analyst')
    const hidden = await person.save({ name: 'Mine alone' })
    const address = new URL(await person.openFeed(hidden.id)).pathname
    expect((await person.ask('/bff/feed-addresses')).status).toBe(403)

    const list = async () =>
      feedAddressListSchema.parse(await (await ada.ask('/bff/feed-addresses')).json()).addresses
    expect(await list()).toEqual([
      {
        viewId: hidden.id,
        viewName: 'Mine alone',
        isShared: false,
        owner: { name: 'analyst', email: 'analyst@example.com' },
        openedAt: expect.any(String),
      },
    ])
    expect(JSON.stringify(await list())).not.toContain(address.slice(7, 50))

    expect((await ada.ask(`/bff/views/${hidden.id}/feed`, { method: 'DELETE' })).status).toBe(204)
    expect(await list()).toEqual([])
    expect((await app.request(address)).status).toBe(404)
    expect((await person.list()).map(({ hasFeed }) => hasFeed)).toEqual([false])
  }),
)
