import { type BffRoute, defineRoute } from '#bff/route.ts'
import type { Upstream } from '#bff/upstream/upstream-client.ts'
import type { Source } from '#contract/bff/source.ts'
import type { SeenCategories } from './seen-categories.ts'

type SourceRouteDependencies = {
  kind: Source['kind']
  upstream: Pick<Upstream, 'state'>
  categories: SeenCategories
}

export function sourceRoutes({ kind, upstream, categories }: SourceRouteDependencies): BffRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/bff/source',
      access: 'viewer',
      cost: 0,
      cache: 'none',
      async answer() {
        const source: Source = { kind, ...upstream.state(), categories: categories.list() }
        return { json: source }
      },
    }),
  ]
}
