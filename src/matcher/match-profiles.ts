import { holdsKeyword, type Keyword, parseKeyword } from './keyword.ts'

/** A watch: any of its keywords, and one of its categories where it names any. */
export type WatchProfile = { id: string; keywords: readonly string[]; categories: readonly string[] }

/** `searchText` is what `normaliseTexts` makes of the record's texts. */
export type WatchedThreat = { category: string; searchText: string }

export type ProfileMatch = { profileId: string; keywords: Keyword[] }

/**
 * Prepares profiles for many records: a record is only compared with keywords whose first token it holds, so the time
 * grows with the record and with what it matches, hardly with the number of profiles.
 */
export function prepareProfiles(
  profiles: readonly WatchProfile[],
): (threat: WatchedThreat) => ProfileMatch[] {
  const watchesByFirstToken = new Map<string, { profile: WatchProfile; keyword: Keyword }[]>()
  for (const profile of profiles) {
    for (const keyword of profile.keywords.flatMap((text) => parseKeyword(text) ?? [])) {
      const first = keyword.tokens[0] ?? ''
      const watches = watchesByFirstToken.get(first) ?? []
      watches.push({ profile, keyword })
      watchesByFirstToken.set(first, watches)
    }
  }

  return ({ category, searchText }) => {
    const matches = new Map<string, ProfileMatch>()
    for (const token of new Set(searchText.split(' '))) {
      for (const { profile, keyword } of watchesByFirstToken.get(token) ?? []) {
        if (profile.categories.length > 0 && !profile.categories.includes(category)) continue
        if (!holdsKeyword(searchText, keyword)) continue
        const match = matches.get(profile.id) ?? { profileId: profile.id, keywords: [] }
        match.keywords.push(keyword)
        matches.set(profile.id, match)
      }
    }
    return [...matches.values()]
  }
}
