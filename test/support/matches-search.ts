import { holdsKeyword } from '#matcher/keyword.ts'
import type { SearchQuery } from '#matcher/search-query.ts'

/** Whether a record's texts, in the form `normaliseTexts` gives them, match the search. */
export function matchesSearch(normalised: string, { keywords }: SearchQuery): boolean {
  return keywords.every((keyword) => holdsKeyword(normalised, keyword))
}
