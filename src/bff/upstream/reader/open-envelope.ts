import { expandNames, foldName } from './field-names.ts'
import { entriesOf, membersOf } from './read-value.ts'
import usualNames from './usual-names.json' with { type: 'json' }

export const ENVELOPE_NAMES = expandNames(usualNames.envelope)
const BESIDE = expandNames(usualNames.besideEnvelope)

/** Returns the content of an answer: the body itself, or the object in it under a general name or one of `nouns`. */
export function openEnvelope(body: unknown, nouns: readonly string[]): unknown {
  const members = entriesOf(body).map(([name, value]) => [foldName(name), value] as const)
  const [only, ...others] = members.filter(([name]) => !BESIDE.includes(name))
  const isAlone = only && others.length === 0 && [...ENVELOPE_NAMES, ...nouns].includes(only[0])
  return isAlone && membersOf(only[1]) ? openEnvelope(only[1], nouns) : body
}
