import { normaliseText } from '../normalise-text.ts'
import { explainWords, isEveryday } from './explain-entry.ts'
import { withoutLegalForms } from './legal-forms.ts'
import { HashFilter, hashOf } from './part-hash.ts'
import { addPosting, type Postings } from './postings.ts'
import { joinWords, type NameWord, readNameWords } from './read-name.ts'
import { partKeys } from './similar-name.ts'

/** An entry of a list. `domains` are registrable ones. */
export type NamedEntry = { id: string; name: string; domains: readonly string[] }

export type IndexedName = {
  id: string
  domains: readonly string[]
  /** The words that distinguish it, each between single spaces. */
  words: string
  wordsCount: number
  joined: string
  isEveryday: boolean
}

/** Entries by what can be found in a threat. */
type NamePostings = {
  names: readonly IndexedName[]
  byDomain: Postings
  /** By the name without spaces, with and without legal forms and umlauts. */
  byName: Postings
  /** By the name without an addition in brackets. */
  byShorterName: Postings
  /** By the word that the fewest entries have. */
  byRareWord: Postings
  /** By the first words of the name, if others follow. */
  byBeginning: Postings
  byInitials: Postings
  /** By what stands before the suffix of a domain. */
  byLabel: Postings
  /** By what may stand there, though no domain is known: the first words, and the name as it is written. */
  byHostLabel: Postings
  /** By the first letters, for names that were cut. */
  byFirstLetters: Postings
  /** By the keys of parts, for similar names. */
  byPart: Postings<number>
}
export type NameIndex = NamePostings & {
  /** The hashes of the keys of `byName`. */
  nameFilter: HashFilter
  /** The keys of `byPart`. */
  partFilter: HashFilter
}

export const BRAND_MIN_LENGTH = 5
export const FIRST_LETTERS = 10
const INITIALS_MIN_LENGTH = 3
const BEGINNING_MAX_WORDS = 3
const FIRST_WORD_MIN_LENGTH = 7
const EVERYDAY_BEGINNING_MIN_LENGTH = 10
const ARTICLES = new Set(['le', 'la', 'les', 'el', 'los', 'las', 'il', 'lo', 'der', 'die', 'das', 'het'])
const BRACKETS = /[(（[][^()（）[\]]*[)）\]]/gu
const BETWEEN_PARTS = /\s[-–—|/]\s|[:|()（）]/u
const BRACKETED_INITIALS = /\(\s*(\p{Lu}{2,8})\s*\)/u

export function createNameIndex(entries: readonly NamedEntry[]): NameIndex {
  const names: IndexedName[] = []
  const index: NamePostings = {
    names,
    byDomain: new Map(),
    byName: new Map(),
    byShorterName: new Map(),
    byRareWord: new Map(),
    byBeginning: new Map(),
    byInitials: new Map(),
    byLabel: new Map(),
    byHostLabel: new Map(),
    byFirstLetters: new Map(),
    byPart: new Map(),
  }
  const counts = new Map<string, number>()
  for (const { id, name, domains } of entries) {
    const position = names.length
    const all = readNameWords(name)
    const words = withoutLegalForms(all)
    const indexed = {
      id,
      domains,
      words: spaced(words),
      wordsCount: words.length,
      joined: joinWords(words),
      isEveryday: explainWords(words) !== null,
    }
    names.push(indexed)
    for (const { text } of words) counts.set(text, (counts.get(text) ?? 0) + 1)
    addDomains(index, domains, position)
    if (indexed.joined === '') continue
    addName(index, indexed, position)
    addVariants(index, name, { all, words }, position)
    addBeginnings(index, words, position)
    addInitials(index, name, all, words, position)
  }
  for (const [position, { words }] of names.entries()) {
    let rarest = ''
    let least = Number.POSITIVE_INFINITY
    for (const word of words.split(' ')) {
      const count = counts.get(word) ?? least
      if (count < least) [rarest, least] = [word, count]
    }
    if (rarest !== '') addPosting(index.byRareWord, rarest, position)
  }
  const nameHashes = [...index.byName.keys()].flatMap((name) => hashOf(name) ?? [])
  return {
    ...index,
    nameFilter: new HashFilter(nameHashes, nameHashes.length),
    partFilter: new HashFilter(index.byPart.keys(), index.byPart.size),
  }
}

/** Words as a phrase that can be found in another. */
export function spaced(words: readonly NameWord[]): string {
  return words.length === 0 ? '' : ` ${words.map(({ text }) => text).join(' ')} `
}

/** The part of a registrable domain that its owner chose: `okapi` of `okapi.co.uk`. */
export function labelOf(domain: string): string {
  return domain.split('.', 1)[0]?.replaceAll('-', '') ?? ''
}

function addDomains(index: NamePostings, domains: readonly string[], position: number): void {
  for (const domain of domains) {
    addPosting(index.byDomain, domain, position)
    const label = labelOf(domain)
    if (label.length >= BRAND_MIN_LENGTH) addPosting(index.byLabel, label, position)
    if (domain.length > FIRST_LETTERS)
      addPosting(index.byFirstLetters, domain.slice(0, FIRST_LETTERS), position)
  }
}

function addName(index: NamePostings, { joined }: IndexedName, position: number): void {
  addPosting(index.byName, joined, position)
  if (joined.length >= FIRST_LETTERS)
    addPosting(index.byFirstLetters, joined.slice(0, FIRST_LETTERS), position)
  for (const key of partKeys(joined)) addPosting(index.byPart, key, position)
}

function addVariants(
  index: NamePostings,
  name: string,
  { all, words }: { all: readonly NameWord[]; words: readonly NameWord[] },
  position: number,
): void {
  const end = words.at(-1)?.end ?? 0
  // Sites are called nepgroup.com and driveandshine.com.
  let joined = ''
  for (const word of all) {
    joined += word.text
    if (word.end >= end) addPosting(index.byName, joined, position)
  }
  for (const other of transliterated(name)) addPosting(index.byName, other, position)
  const label = normaliseText(name.slice(0, end).replaceAll('&', ' and ')).replaceAll(' ', '')
  if (label.length >= BRAND_MIN_LENGTH && label !== words.map(({ text }) => text).join(''))
    addPosting(index.byHostLabel, label, position)
  const withoutArticle = ARTICLES.has(words[0]?.text ?? '') ? joinWords(words.slice(1)) : ''
  if (withoutArticle.length >= FIRST_WORD_MIN_LENGTH)
    addPosting(index.byShorterName, withoutArticle, position)
  for (const shorter of [...unbracketed(name), ...partsOf(name)]) {
    if (shorter.length >= BRAND_MIN_LENGTH) addPosting(index.byShorterName, shorter, position)
  }
}

/** A name without an addition in brackets, such as a country or its initials. */
export function unbracketed(name: string): string[] {
  const without = name.replace(BRACKETS, ' ')
  return without === name ? [] : [joinWords(withoutLegalForms(readNameWords(without)))]
}

const PARTS_MAX_COUNT = 8

/** Names that stand beside each other: "Okapi / Zebu", "Okapi Zebu (OkapiZ)". */
export function partsOf(name: string): string[] {
  const parts = name.split(BETWEEN_PARTS, PARTS_MAX_COUNT)
  if (parts.length === 1) return []
  return parts.map((part) => joinWords(withoutLegalForms(readNameWords(part))))
}

const BEYOND_ASCII = /[^\0-\x7f]/u
const UMLAUTS: readonly (readonly [RegExp, string])[] = [
  [/ä/giu, 'ae'],
  [/ö/giu, 'oe'],
  [/ü/giu, 'ue'],
  [/ø/giu, 'oe'],
  [/å/giu, 'aa'],
]

/** A name as it is written without umlauts: Mueller. */
export function transliterated(name: string): string[] {
  if (!BEYOND_ASCII.test(name)) return []
  const composed = name.normalize('NFC')
  const without = UMLAUTS.reduce((text, [letter, latin]) => text.replace(letter, latin), composed)
  return without === composed ? [] : [joinWords(withoutLegalForms(readNameWords(without)))]
}

/** Parts that may stand for a whole name: two of its words, or one that no everyday name follows. */
function addBeginnings(index: NamePostings, words: readonly NameWord[], position: number): void {
  for (let count = 1; count < words.length && count <= BEGINNING_MAX_WORDS; count++) {
    const beginning = words.slice(0, count)
    const joined = joinWords(beginning)
    const areEveryday = beginning.every(({ text }) => isEveryday(text))
    const minLength = count > 1 ? EVERYDAY_BEGINNING_MIN_LENGTH : FIRST_WORD_MIN_LENGTH
    if (joined.length >= minLength && areEveryday === count > 1)
      addPosting(index.byHostLabel, joined, position)
    if (joined.length < BRAND_MIN_LENGTH || areEveryday) continue
    if (count > 1 || words.slice(count).every(({ text }) => isEveryday(text)))
      addPosting(index.byBeginning, joined, position)
  }
}

function addInitials(
  index: NamePostings,
  name: string,
  all: readonly NameWord[],
  words: readonly NameWord[],
  position: number,
): void {
  const bracketed = BRACKETED_INITIALS.exec(name)?.[1]?.toLowerCase()
  const initials = [all, words].map((some) => some.map(({ text }) => text.charAt(0)).join(''))
  for (const letters of new Set(bracketed === undefined ? initials : [...initials, bracketed])) {
    if (letters.length >= INITIALS_MIN_LENGTH) addPosting(index.byInitials, letters, position)
  }
}
