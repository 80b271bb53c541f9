import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import type { Upstream } from '#bff/vendor/client/upstream-client.ts'
import type { SeenCategories } from '#bff/vendor/seen-categories.ts'
import type { Window } from '#bff/window/window.ts'
import type { Source } from '#contract/bff/source.ts'

type SourceRouteDependencies = {
  kind: Source['kind']
  upstream: Pick<Upstream, 'state'>
  categories: () => Pick<SeenCategories, 'list'>
  window: Pick<Window, 'state'>
}

export function sourceRoutes({ kind, upstream, categories, window }: SourceRouteDependencies): BffRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/bff/source',
      access: 'viewer',
      cache: 'none',
      async answer() {
        const state = await upstream.state()
        const source: Source = {
          kind,
          ...state,
          isOwnService: kind === 'embedded' || state.isOwnService,
          window: await window.state(),
          categories: categories().list(),
        }
        return { json: source }
      },
    }),
  ]
}
