import { expect, test } from 'vitest'
import { feedRoutes } from '#bff/feeds/feed-routes.ts'
import { createReadFeed } from '#bff/feeds/read-feed.ts'
import { type View, viewListSchema, viewSchema } from '#contract/bff/view.ts'
import { type ViewDraft, viewFeedSchema } from '#contract/bff/view-draft.ts'
import type { Database } from '#database/database.ts'
import { createTestBff, readProblem } from '../../../test/support/ask-bff.ts'
import { holdThreats, makeThreat } from '../../../test/support/window/hold-threats.ts'
import { withDatabase } from '../../../test/support/with-database.ts'
import { viewRoutes } from './view-routes.ts'

const ORIGIN = 'https://lantern.example'
const NOW = '2026-03-10T12:00:00.000Z'
const DRAFT: ViewDraft = {
  name: 'DDoS in Germany',
  filter: { category: ['DDoS'] },
  timeZone: 'UTC',
  isShared: false,
}
const THREATS = [
  makeThreat('a', '2026-03-10T09:00:00.000Z', { category: 'DDoS', title: 'see http://evil.example <b>' }),
  makeThreat('b', '2026-03-10T08:00:00.000Z'),
]

/** Ada, an admin, and the accounts that a test adds; each with a browser of their own. */
async function openViews(database: Database) {
  const { window, clock } = await holdThreats(database, { now: NOW, threats: THREATS })
  const readFeed = createReadFeed({ database, window, clock, origin: ORIGIN })
  const bff = await createTestBff(database, {
    routes: [...viewRoutes({ database, origin: ORIGIN }), ...feedRoutes({ readFeed })],
  })
  await bff.signIn()
  const ada = speak(bff.ask)

  async function addPerson(role: 'viewer' | 'analyst') {
    const email = `${role}@example.com`
    await database.query(
      `insert into account (email, name, role, password_hash)
       select $1, $2, $2, password_hash from account where role = 'admin'`,
      [email, role],
    )
    const browser = bff.createBrowser()
    await browser.signIn({ email, password: 'correct horse battery staple' })
    return speak(browser.ask)
  }
  return { ...bff, ada, addPerson, clock }
}

function speak(ask: Awaited<ReturnType<typeof createTestBff>>['ask']) {
  return {
    ask,
    save: async (draft: Partial<ViewDraft> = {}): Promise<View> =>
      viewSchema.parse(await (await ask('/bff/views', { body: { ...DRAFT, ...draft } })).json()),
    list: async () => viewListSchema.parse(await (await ask('/bff/views')).json()).views,
    change: (id: string, change: unknown) => ask(`/bff/views/${id}`, { method: 'PUT', body: change }),
    remove: (id: string) => ask(`/bff/views/${id}`, { method: 'DELETE' }),
    openFeed: async (id: string) =>
      viewFeedSchema.parse(await (await ask(`/bff/views/${id}/feed`, { method: 'POST' })).json()).address,
  }
}

function withViews(run: (views: Awaited<ReturnType<typeof openViews>>, database: Database) => Promise<void>) {
  return withDatabase('bff', async (database) => run(await openViews(database), database))
}

test(
  'keeps a filter under a name, for oneself or for the team',
  withViews(async ({ ada, addPerson }) => {
    const analyst = await addPerson('analyst')
    const own = await ada.save()
    const shared = await ada.save({ name: 'ours \u202e', filter: { q: 'a\u0000b' }, isShared: true })

    expect(own).toMatchObject({ ...DRAFT, owner: { isMe: true }, isDefault: false, hasFeed: false })
    expect((await ada.list()).map(({ id }) => id)).toEqual([own.id, shared.id])
    expect(await analyst.list()).toMatchObject([
      { id: shared.id, filter: { q: 'a\u0000b' }, owner: { isMe: false } },
    ])
  }),
)

test(
  'what is another’s is changed by them and by admins; what is not shared is not there',
  withViews(async ({ ada, addPerson }) => {
    const analyst = await addPerson('analyst')
    const hers = await ada.save({ isShared: true })
    const hidden = await ada.save()
    const theirs = await analyst.save({ isShared: true })

    expect((await readProblem(await analyst.change(hers.id, { name: 'mine' }))).code).toBe('role_not_allowed')
    expect((await readProblem(await analyst.remove(hers.id))).code).toBe('role_not_allowed')
    expect((await readProblem(await analyst.change(hidden.id, { name: 'mine' }))).code).toBe('not_found')
    expect(await (await ada.change(theirs.id, { name: 'better' })).json()).toMatchObject({ name: 'better' })
    expect((await ada.remove(theirs.id)).status).toBe(204)
    expect(await analyst.list()).toMatchObject([{ id: hers.id }])
  }),
)

test(
  'a viewer keeps views, and shares none',
  withViews(async ({ addPerson }) => {
    const viewer = await addPerson('viewer')
    const view = await viewer.save()
    expect((await viewer.change(view.id, { isShared: true })).status).toBe(403)
    expect((await viewer.ask('/bff/views', { body: { ...DRAFT, isShared: true } })).status).toBe(403)
    expect((await viewer.ask(`/bff/views/${view.id}/feed`, { method: 'POST' })).status).toBe(403)
    expect((await viewer.change(view.id, { name: 'renamed' })).status).toBe(200)
  }),
)

test(
  'who has become a viewer does not change what the team shares, but may take it back',
  withViews(async ({ addPerson, sessions }, database) => {
    const person = await addPerson('analyst')
    const view = await person.save({ isShared: true })
    await database.query(`update account set role = 'viewer' where role = 'analyst'`)
    sessions.forgetAll()

    expect((await person.change(view.id, { filter: {} })).status).toBe(403)
    expect((await person.change(view.id, { filter: {}, isShared: false })).status).toBe(200)
  }),
)

test(
  'each has a default of their own, which goes with its view',
  withViews(async ({ ada, addPerson }) => {
    const analyst = await addPerson('analyst')
    const view = await ada.save({ isShared: true })
    const choose = (id: string | null) => analyst.ask('/bff/views/default', { method: 'PUT', body: { id } })

    expect((await choose(view.id)).status).toBe(204)
    expect(await analyst.list()).toMatchObject([{ isDefault: true }])
    expect(await ada.list()).toMatchObject([{ isDefault: false }])
    await choose(null)
    expect(await analyst.list()).toMatchObject([{ isDefault: false }])
    await choose(view.id)
    await ada.remove(view.id)
    expect(await analyst.list()).toEqual([])
    expect((await choose(view.id)).status).toBe(404)
  }),
)

test(
  'refuses what no view can be',
  withViews(async ({ ada }) => {
    for (const draft of [
      { name: ' ' },
      { name: 'x\0' },
      { timeZone: 'Mars/Olympus' },
      { filter: { country: ['Germany'] } },
    ]) {
      expect(
        (await ada.ask('/bff/views', { body: { ...DRAFT, ...draft } })).status,
        JSON.stringify(draft),
      ).toBe(400)
    }
  }),
)

test(
  'writes down every change, and no secret',
  withViews(async ({ ada }, database) => {
    const view = await ada.save()
    const address = await ada.openFeed(view.id)
    await ada.remove(view.id)
    const { rows } = await database.query(
      `select action, object_name, before, after from audit_event order by id`,
    )
    expect(rows).toMatchObject([
      { action: 'sign-in' },
      { action: 'view-created', object_name: DRAFT.name },
      { action: 'view-changed', after: '{"hasFeed":true}' },
      { action: 'view-deleted' },
    ])
    expect(JSON.stringify(rows)).not.toContain(address.slice(-20))
  }),
)

test(
  'reads a view as Atom by its address alone, until that is made anew or taken back',
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
