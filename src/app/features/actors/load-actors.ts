import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { resolvePeriod } from '#app/features/periods/period-options.ts'
import type { PeriodSearch } from '#app/features/periods/period-search.ts'
import { readPreferences } from '#app/ui/preferences.ts'
import { actorListOptions, actorOptions } from './actor-options.ts'
import type { ActorSearch } from './actor-search.ts'

/** Asks for what the page of the list will show; `isGuess` while nobody has opened it. */
export function loadActorList(queryClient: QueryClient, search: ActorSearch, isGuess: boolean): void {
  const { countries, industries, timeZone } = readPreferences()
  const { name: period } = resolvePeriod(search.period, { timeZone, nowMs: Date.now() })
  const { guess, ...options } = actorListOptions(
    { ...search, period, rows: search.rows ?? 'cases' },
    { countries, industries },
    timeZone,
  )
  if (isGuess) keepGuess(queryClient, options.queryKey, guess)
  else queryClient.prefetchQuery(options)
}

/** The same for the page of one. */
export function loadActor(
  queryClient: QueryClient,
  { name, period, rows = 'cases' }: { name: string } & PeriodSearch,
  isGuess: boolean,
): void {
  const { countries, industries, timeZone } = readPreferences()
  const { guess, ...options } = actorOptions(
    { name, period: resolvePeriod(period, { timeZone, nowMs: Date.now() }).name, rows },
    { countries, industries },
    timeZone,
  )
  if (isGuess) keepGuess(queryClient, options.queryKey, guess)
  else queryClient.prefetchQuery(options)
}

/** Not as a query: that it was refused, to save a call, is nothing to show to whoever opens the page. */
async function keepGuess(queryClient: QueryClient, key: QueryKey, guess: () => Promise<unknown>) {
  if (queryClient.getQueryState(key)) return
  const answer = await guess().catch(() => undefined)
  if (answer !== undefined && !queryClient.getQueryState(key)) queryClient.setQueryData(key, answer)
}
