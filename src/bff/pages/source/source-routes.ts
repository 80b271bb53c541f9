import { DATABASE_UNWRITABLE } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { HistoryLimits } from '#bff/time/history-limits.ts'
import { describeConnectionFault } from '#bff/upstream/client/connection-fault.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import type { SeenCategories } from '#bff/upstream/seen-categories.ts'
import type { Source } from '#contract/bff/source.ts'

type SourceRouteDependencies = {
  kind: Source['kind']
  upstream: Upstream
  categories: () => SeenCategories
  store: ThreatStore
  history: HistoryLimits
  /** Returns true if Lantern's own database accepts writes. */
  isDatabaseWritable: () => Promise<boolean>
}

export function sourceRoutes({
  kind,
  upstream,
  categories,
  store,
  history,
  isDatabaseWritable,
}: SourceRouteDependencies): BffRoute[] {
  return [
    defineRoute('GET /bff/source', {
      access: 'viewer',
      async answer({ session }) {
        const { connectionFault, ...state } = await upstream.state()
        const isShown = connectionFault !== null && session.user.role === 'admin'
        const isWritable = await isDatabaseWritable().catch(() => true)
        const trouble = isWritable ? isShown && describeConnectionFault(connectionFault) : DATABASE_UNWRITABLE
        const seen = categories()
        seen.add(await store.values('category'))
        const source: Source = {
          kind,
          ...state,
          ...(trouble && { trouble }),
          isOwnService: kind === 'embedded' || state.isOwnService,
          window: await store.state(),
          history,
          categories: seen.list(),
        }
        return { json: source }
      },
    }),
  ]
}
