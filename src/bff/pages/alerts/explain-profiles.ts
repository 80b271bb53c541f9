import type { ProfileCriteria } from '#bff/store/index/match-profiles.ts'
import { searchedText } from '#bff/store/index/threat-terms.ts'
import type { ThreatProfiles } from '#contract/bff/alert.ts'
import type { Threat, ThreatDetail } from '#contract/bff/threat.ts'
import { foldCategory, prepareProfiles } from '#matcher/match-profiles.ts'
import { normaliseText } from '#matcher/normalise-text.ts'
import type { ListedProfile } from './backtest.ts'

/** For each profile whether it matches a threat, by all that is known of the threat, and why or why not. */
export function explainProfiles(
  profiles: readonly ListedProfile[],
  threat: ThreatDetail,
): ThreatProfiles['profiles'] {
  const text = searchedText(threat) + normaliseText(threat.content ?? '')
  const category = foldCategory(threat.category ?? '')
  return profiles.map((profile) => {
    const keywords = foundKeywords(profile, text)
    const isInCategory =
      profile.categories.length === 0 || profile.categories.map(foldCategory).includes(category)
    return {
      id: profile.id,
      name: profile.name,
      verdict: keywords.length === 0 ? 'no_keyword' : isInCategory ? 'matches' : 'other_category',
      keywords,
      categories: [...profile.categories],
    }
  })
}

/** Records with the keywords that each holds, as the profile spells them; in full texts too, by the ids of their records. */
export function explainThreats(
  criteria: ProfileCriteria,
  threats: readonly Threat[],
  fullTexts: ReadonlyMap<string, string>,
) {
  return threats.map((threat) => ({
    threat,
    keywords: foundKeywords(criteria, (fullTexts.get(threat.id) ?? '') + searchedText(threat)),
  }))
}

/** In the profile's order. */
function foundKeywords({ keywords }: ProfileCriteria, searchText: string): string[] {
  const match = prepareProfiles([{ id: '', keywords, categories: [] }])
  const [found] = match({ category: '', searchText })
  const foundTexts = new Set(found?.keywords.map(({ text }) => text))
  return keywords.filter((keyword) => foundTexts.has(keyword))
}
