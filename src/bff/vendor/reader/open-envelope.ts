import { foldName } from './field-names.ts'
import { membersOf } from './read-value.ts'

export const ENVELOPE_NAMES = ['data', 'result', 'results', 'response', 'payload']
const BESIDE = ['meta', 'status', 'success', 'ok', 'message', 'links', 'requestid', 'version', 'error']

/** What an answer is about: itself, or the object in its envelope, under a general name or one of `nouns`. */
export function openEnvelope(body: unknown, nouns: readonly string[]): unknown {
  const members = [...(membersOf(body) ?? [])].map(([name, value]) => [foldName(name), value] as const)
  const [only, ...others] = members.filter(([name]) => !BESIDE.includes(name))
  const isAlone = only && others.length === 0 && [...ENVELOPE_NAMES, ...nouns].includes(only[0])
  return isAlone && membersOf(only[1]) ? openEnvelope(only[1], nouns) : body
}
