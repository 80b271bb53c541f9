import { feedRoutes } from '#bff/pages/feeds/feed-routes.ts'
import { viewRoutes } from '#bff/pages/views/view-routes.ts'
import { type View, type ViewDraft, viewFeedSchema, viewListSchema, viewSchema } from '#contract/bff/view.ts'
import type { Database } from '#database/database.ts'
import { createTestBff } from '#test/support/ask-bff.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'

const ORIGIN = 'https://lantern.example'
const NOW = '2026-03-10T12:00:00.000Z'
export const DRAFT: ViewDraft = {
  name: 'DDoS in Germany',
  filter: { category: ['DDoS'] },
  timeZone: 'UTC',
  isShared: false,
}
const THREATS = [
  makeThreat('a', '2026-03-10T09:00:00.000Z', {
    category: 'DDoS',
    title: 'see http://evil.example <b>',
    organizations: ['Somebody Else'],
    domains: ['okapi.example'],
  }),
  makeThreat('b', '2026-03-10T08:00:00.000Z'),
]

/** Ada, an admin, and the accounts that a test adds; each with a browser of their own. */
export async function openViews(database: Database) {
  const { store, clock } = await holdThreats(database, { now: NOW, threats: THREATS })
  const feeds = feedRoutes({ database, store, generation: () => 0, clock, origin: ORIGIN })
  const bff = await createTestBff(database, {
    routes: [...viewRoutes({ database, origin: ORIGIN }), ...feeds],
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
  return { ...bff, ada, addPerson, clock, store }
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

export function withViews(
  run: (views: Awaited<ReturnType<typeof openViews>>, database: Database) => Promise<void>,
) {
  return withDatabase('bff', async (database) => run(await openViews(database), database))
}
