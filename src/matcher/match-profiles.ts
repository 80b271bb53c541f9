import { holdsKeyword, type Keyword, parseKeyword } from './keyword.ts'
import { foldValue } from './normalise-text.ts'

/** A profile matches by any of its keywords and, where it names any, by one of its categories, in whatever letter case. */
export type MatchableProfile = { id: string; keywords: readonly string[]; categories: readonly string[] }

/** `searchText` is what `normaliseTexts` makes of the record's texts. */
export type MatchableThreat = { category: string; searchText: string }

type ProfileKeyword = { profileId: string; categories: ReadonlySet<string>; keyword: Keyword }

/**
 * Prepares profiles for many records; the answer is the ids of those that match one. A record is only compared with
 * keywords whose first token it holds, so the time grows with the record and its matches, hardly with the profiles.
 */
export function prepareProfiles(
  profiles: readonly MatchableProfile[],
): (threat: MatchableThreat) => string[] {
  const keywordsByFirstToken = new Map<string, ProfileKeyword[]>()
  for (const profile of profiles) {
    const categories = new Set(profile.categories.map(foldValue))
    for (const keyword of profile.keywords.flatMap((text) => parseKeyword(text) ?? [])) {
      const first = keyword.tokens[0] ?? ''
      const known = keywordsByFirstToken.get(first) ?? []
      known.push({ profileId: profile.id, categories, keyword })
      keywordsByFirstToken.set(first, known)
    }
  }

  return ({ category, searchText }) => {
    const matched = new Set<string>()
    const folded = foldValue(category)
    for (const token of new Set(searchText.split(' '))) {
      for (const { profileId, categories, keyword } of keywordsByFirstToken.get(token) ?? []) {
        if (categories.size > 0 && !categories.has(folded)) continue
        if (holdsKeyword(searchText, keyword)) matched.add(profileId)
      }
    }
    return [...matched]
  }
}
