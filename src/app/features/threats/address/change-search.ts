import type { ThreatSearch } from './threat-search.ts'

/**
 * Changes the address: a step that Back undoes, unless it replaces the last one. What follows from the search before it
 * is given as a function, because two quick changes would otherwise both start from the same search.
 */
export type ChangeSearch = (
  change: Partial<ThreatSearch> | ((before: ThreatSearch) => Partial<ThreatSearch>),
  options?: { replace?: boolean; keepScroll?: boolean },
) => void
