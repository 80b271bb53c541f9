import { normaliseText, normaliseTexts } from '#matcher/normalise-text.ts'
import { type ProfileRow, termsOf } from './profile-row.ts'

/** The profiles that contain what is typed, in their name or in what they look for, where a word begins. */
export function findProfiles(rows: readonly ProfileRow[], text: string): readonly ProfileRow[] {
  const wanted = normaliseText(text).trimEnd()
  if (wanted === '') return rows
  return rows.filter((row) => {
    const categories = row.runsIn === 'vendor' ? row.profile.categories : []
    return normaliseTexts([row.profile.name, ...termsOf(row), ...categories]).includes(wanted)
  })
}
