import type { FileRouteTypes } from '#app/routeTree.gen.ts'
import { actorListSchema } from '#contract/bff/actor.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'

/** A page as a reader opens it; one with charts may bring more script on a first visit. */
export type AppPage = { path: string; hasCharts: boolean }

/** Every route of the app has its pages here, but for the one before a session: a new one does not compile without. */
const PAGES: Readonly<Record<Exclude<FileRouteTypes['to'], '/sign-in/second-factor'>, AppPage>> = {
  '/': { path: '/', hasCharts: true },
  '/threats': { path: '/threats', hasCharts: false },
  '/threats/$id': { path: '/threats/$id', hasCharts: false },
  '/actors': { path: '/actors', hasCharts: false },
  '/actors/$name': { path: '/actors/$name', hasCharts: true },
  '/countries': { path: '/countries', hasCharts: true },
  '/countries/$code': { path: '/countries/DE', hasCharts: true },
  '/alerts': { path: '/alerts', hasCharts: false },
  '/alerts/new': { path: '/alerts/new', hasCharts: false },
  '/alerts/deliveries': { path: '/alerts/deliveries', hasCharts: false },
  '/lists': { path: '/lists', hasCharts: false },
  '/lists/new': { path: '/lists/new', hasCharts: false },
  // Nobody has a list at first: the page says so.
  '/lists/$id': { path: '/lists/00000000-0000-4000-8000-000000000000', hasCharts: false },
  '/lists/$id/entries/$entryId': {
    path: '/lists/00000000-0000-4000-8000-000000000000/entries/00000000-0000-4000-8000-000000000000',
    hasCharts: false,
  },
  '/welcome': { path: '/welcome', hasCharts: false },
  '/metrics': { path: '/metrics', hasCharts: true },
  '/shift': { path: '/shift', hasCharts: false },
  '/settings': { path: '/settings', hasCharts: false },
  '/settings/calls': { path: '/settings/calls', hasCharts: true },
}
const TABS = ['api', 'users', 'cases', 'audit'].map((tab) => ({
  path: `/settings?tab=${tab}`,
  hasCharts: false,
}))

/** All pages, with the newest threat and the actor of the most mentions in the place of any. */
export async function findPages(readJson: (path: string) => Promise<unknown>): Promise<AppPage[]> {
  const { threats } = threatListSchema.parse(await readJson('/bff/threats'))
  const { actors } = actorListSchema.parse(await readJson('/bff/actors'))
  const [threat, actor] = [threats[0], actors[0]]
  if (!threat || !actor) throw new Error('There is no threat or no actor whose page could be opened')
  return [...Object.values(PAGES), ...TABS].map(({ path, hasCharts }) => ({
    path: path.replace('$id', threat.id).replace('$name', encodeURIComponent(actor.name)),
    hasCharts,
  }))
}
