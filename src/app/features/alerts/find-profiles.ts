import type { AlertProfile } from '#contract/bff/alert.ts'
import { normaliseText, normaliseTexts } from '#matcher/normalise-text.ts'

/** The profiles that contain what is typed, in their name, keywords or categories, where a word begins. */
export function findProfiles(profiles: readonly AlertProfile[], text: string): readonly AlertProfile[] {
  const wanted = normaliseText(text).trimEnd()
  if (wanted === '') return profiles
  return profiles.filter(({ name, keywords, categories }) =>
    normaliseTexts([name, ...keywords, ...categories]).includes(wanted),
  )
}
