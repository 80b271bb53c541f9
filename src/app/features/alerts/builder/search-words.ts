import type { ThreatFilter, ThreatFilterName } from '#contract/bff/threat-list.ts'
import { parseKeyword } from '#matcher/keyword.ts'
import { readProfileWords, searchOfKeywords } from '#matcher/query/profile-keywords.ts'

/** Nouns of the filters that a profile in the vendor's account cannot have, after “by”. */
const NOUNS = Object.entries({
  country: 'country',
  actor: 'actor',
  industry: 'industry',
  severity: 'severity',
  within: 'date',
  from: 'date',
  to: 'date',
  since: 'time',
  until: 'time',
  triage: 'triage',
} satisfies Record<Exclude<ThreatFilterName, 'category' | 'q'>, string>)

/** A filter as keywords and categories, or why a profile at the vendor cannot have it, as a verb. */
export function toSimple(
  filter: ThreatFilter,
): { keywords: string[]; categories: string[] } | { lack: string } {
  const { category = [], q = '', ...others } = filter
  const other = Object.entries(others).find(([, value]) => value !== undefined && value.length > 0)
  if (other) return { lack: `cannot filter by ${NOUNS.find(([name]) => name === other[0])?.[1] ?? other[0]}` }
  const words = readProfileWords(q)
  if ('lack' in words) return words
  if (category.length > 0 && words.categories.length > 0)
    return { lack: 'cannot require two lists of categories' }
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
