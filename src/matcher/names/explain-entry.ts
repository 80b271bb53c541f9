import { normaliseName } from './normalise-name.ts'

const SHORT_MAX_LENGTH = 4
const EVERYDAY = new Set(
  'delta apex first global united national general standard premier summit pioneer alpha omega phoenix atlas central american european international advanced'.split(
    ' ',
  ),
)

/** Says in plain words why a name alone is never a certain match; null for a distinctive name. */
export function explainEntry({ name }: { name: string }): { everydayName: string | null } {
  const words = normaliseName(name)
  if (words === '') return { everydayName: 'The name has no letters. Add a domain.' }
  if (words.length <= SHORT_MAX_LENGTH)
    return { everydayName: 'The name is short. Matches by name alone have to be confirmed; add a domain.' }
  if (EVERYDAY.has(words))
    return {
      everydayName:
        'Many organisations have this name. Matches by name alone have to be confirmed; add a domain.',
    }
  return { everydayName: null }
}
