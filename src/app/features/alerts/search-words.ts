import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { parseKeyword } from '#matcher/keyword.ts'
import { readProfileWords, searchOfKeywords } from '#matcher/query/profile-keywords.ts'
import { hasFilter } from './has-filter.ts'

const NOUNS = [
  ['country', 'countries'],
  ['actor', 'actors'],
  ['industry', 'industries'],
  ['severity', 'severities'],
  ['within', 'days'],
  ['from', 'days'],
  ['to', 'days'],
  ['since', 'times'],
  ['until', 'times'],
  ['triage', 'triage'],
] as const

/** A filter as keywords and categories, or why a profile at the vendor cannot have it, after “it”. */
export function toSimple(
  filter: ThreatFilter,
): { keywords: string[]; categories: string[] } | { lack: string } {
  const other = NOUNS.find(([name]) => hasFilter({ [name]: filter[name] }))
  if (other) return { lack: `knows no ${other[1]}` }
  const words = readProfileWords(filter.q ?? '')
  if ('lack' in words) return words
  const { category = [] } = filter
  if (category.length > 0 && words.categories.length > 0) return { lack: 'has one list of categories' }
  if (words.keywords.length === 0) return { lack: 'needs a keyword' }
  return { keywords: [...words.keywords], categories: [...category, ...words.categories] }
}

type Written = {
  mode: 'simple' | 'search'
  keywords: readonly string[]
  categories: string[]
  filter: ThreatFilter
}

/** The search that a draft means, whichever fields say it. */
export function filterOfDraft({ mode, keywords, categories, filter }: Written): ThreatFilter {
  if (mode === 'search') return filter
  const q = searchOfKeywords(keywords.filter((keyword) => parseKeyword(keyword)))
  return { ...(q !== '' && { q }), ...(categories.length > 0 && { category: categories }) }
}
