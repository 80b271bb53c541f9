import { tokenise } from '../tokenise.ts'
import { blankSpacelessForms, withoutLegalForms } from './legal-forms.ts'

/** A word of a name. `start` and `end` are offsets into the text. */
export type NameWord = { text: string; start: number; end: number }

/** A text beyond this is no name and no title. */
const TEXT_MAX_LENGTH = 2_000
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|amp|apos|quot|nbsp|lt|gt);/giu
const SINGLE_LETTER = /^[a-zа-я]$/u
const APOSTROPHE = /^['’‘`´]$/u
const IGNORED = new Set(['and', 'und', 'et', 'the'])
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    intl: 'international',
    svc: 'service',
    svcs: 'services',
    mfg: 'manufacturing',
    mgmt: 'management',
    bros: 'brothers',
    dept: 'department',
    univ: 'university',
    assoc: 'associates',
    tech: 'technology',
    technologies: 'technology',
    ctr: 'center',
    centre: 'center',
    gov: 'government',
    st: 'saint',
    universite: 'university',
    universitat: 'university',
    universitaet: 'university',
    universidad: 'university',
    universidade: 'university',
    universita: 'university',
    universiteit: 'university',
    municipalidad: 'municipality',
    municipalite: 'municipality',
    municipio: 'municipality',
    institut: 'institute',
    instituto: 'institute',
    istituto: 'institute',
  }),
)
const MIXED = /[a-z].*[\u0370-\u052f]|[\u0370-\u052f].*[a-z]/u
const LATIN_OF: ReadonlyMap<string, string> = new Map(
  Array.from(
    'аaеeоoрpсcуyхxкkмmтtнhвbіiјjѕsԁdһhӏlαaοoρpτtνvιiκkυuεeηnχx'.matchAll(/(.)(.)/gu),
    ([, from, to]) => [from ?? '', to ?? ''],
  ),
)

/** The words by which names are compared. Letters of other alphabets that imitate Latin ones in a word become Latin. */
export function readNameWords(source: string): NameWord[] {
  const cut = source.length > TEXT_MAX_LENGTH ? source.slice(0, TEXT_MAX_LENGTH) : source
  const text = blankSpacelessForms(
    cut.includes('&') ? cut.replace(ENTITY, (entity) => ' '.repeat(entity.length)) : cut,
  )
  const words: NameWord[] = []
  let isJoinable = false
  for (const token of tokenise(text)) {
    const isSingle = token.text.length === 1 && SINGLE_LETTER.test(token.text)
    const last = words.at(-1)
    if (last && token.start === last.end + 1 && APOSTROPHE.test(text.charAt(last.end))) {
      last.text += token.text
      last.end = token.end
      isJoinable = false
    } else if (IGNORED.has(token.text)) {
      // Single letters are joined across it: "A and B" is "A&B".
    } else if (last && isSingle && isJoinable) {
      last.text += token.text
      last.end = token.end
    } else {
      words.push({ text: spell(token.text), start: token.start, end: token.end })
      isJoinable = isSingle
    }
  }
  return words
}

/** The words of an organisation's name without legal forms. */
export function readOwnWords(name: string): readonly NameWord[] {
  return withoutLegalForms(readNameWords(name))
}

function spell(word: string): string {
  const latin = MIXED.test(word)
    ? Array.from(word, (letter) => LATIN_OF.get(letter) ?? letter).join('')
    : word
  return SPELLINGS.get(latin) ?? latin
}

/** Words without spaces between them: "Power Grid", "PowerGrid" and "Power-Grid" are one. */
export function joinWords(words: readonly NameWord[]): string {
  let joined = ''
  for (const { text } of words) joined += text
  return joined
}
