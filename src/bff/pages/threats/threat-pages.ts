import type { Clock } from '#bff/time/clock.ts'
import type { CachedAnswer } from '#bff/vendor/cache/cached-answer.ts'
import { ReadCache } from '#bff/vendor/cache/read-cache.ts'
import type { ReadRequest } from '#bff/vendor/cache/read-request.ts'
import type { Caller } from '#bff/vendor/client/caller.ts'
import type { Upstream } from '#bff/vendor/client/upstream-client.ts'
import { UpstreamError } from '#bff/vendor/client/upstream-error.ts'
import type { ListedThreats } from '#bff/vendor/details/listed-threats.ts'
import type { ThreatNames } from '#bff/vendor/reader/read-threat.ts'
import { readThreatList, type ThreatPage } from '#bff/vendor/reader/read-threat-list.ts'
import type { SeenCategories } from '#bff/vendor/seen-categories.ts'
import type { Source } from '#contract/bff/source.ts'
import type { RouteSet } from '#contract/route-set.ts'

const MAX_BYTES = 32 * 1024 * 1024
/** A vendor's calls are scarce; those of our own service cost nothing but its time. */
const FRESH_FOR_MS: Readonly<Record<Source['kind'], number>> = { embedded: 15_000, vendor: 60_000 }
const ROUTES = { v1: 'listThreats', earlier: 'listFeed' } as const

export type PageQuery = Readonly<Record<string, string | number | undefined>>

/** Reads one page of the vendor's list. `moment` keeps pages by offset apart that must be read at different times. */
export type ReadPage = (
  set: RouteSet,
  query: PageQuery,
  request: ReadRequest,
  moment?: string,
) => Promise<CachedAnswer<ThreatPage>>

export type ThreatPagesDependencies = {
  upstream: Pick<Upstream, 'call' | 'generation'>
  clock: Clock
  categories: () => Pick<SeenCategories, 'add'>
  listedThreats: Pick<ListedThreats, 'remember'>
  kind: Source['kind']
  names?: { threat: ThreatNames }
}

export function createThreatPages({
  upstream,
  clock,
  categories,
  listedThreats,
  kind,
  names,
}: ThreatPagesDependencies): ReadPage {
  const cache = new ReadCache<ThreatPage>({
    clock,
    generation: upstream.generation,
    maxBytes: MAX_BYTES,
    isShared: true,
    freshForMs: () => FRESH_FOR_MS[kind],
  })

  async function load(set: RouteSet, query: PageQuery, caller: Caller, moment: string): Promise<ThreatPage> {
    const seen = categories()
    const stored = caller.stored && { ...caller.stored, moment }
    const pageCaller = stored ? { ...caller, stored } : caller
    const page = readThreatList(set, await upstream.call(ROUTES[set], { query }, pageCaller), names?.threat)
    if (!page) throw new UpstreamError({ set, kind: 'unreadable', reason: 'no list in the answer' })
    await listedThreats.remember(page.threats)
    seen.add(page.threats.map(({ category }) => category))
    return page
  }

  return (set, query, request, moment = '') =>
    cache.read(JSON.stringify([set, moment, query]), (caller) => load(set, query, caller, moment), request)
}
