import { isEveryday } from './explain-entry.ts'
import { withoutLegalForms } from './legal-forms.ts'
import {
  BRAND_MIN_LENGTH,
  FIRST_LETTERS,
  type IndexedName,
  labelOf,
  type NameIndex,
  partsOf,
  spaced,
  transliterated,
  unbracketed,
} from './name-index.ts'
import { hashOfPart, readForHashes } from './part-hash.ts'
import { findPostings, type Postings } from './postings.ts'
import { joinWords, type NameWord } from './read-name.ts'
import {
  readThreatName,
  readThreatText,
  type ThreatHost,
  type ThreatName,
  type ThreatText,
} from './read-threat-name.ts'
import { findPartKeys, isSimilar, SIMILAR_MIN_LENGTH } from './similar-name.ts'

/** Names of a threat and of one of its victims. `domains` are registrable ones. */
export type NamedText = {
  title: string
  victim: string | null
  domains: readonly string[]
  country: string | null
}

/** Rules, the strongest first. */
const RULES = [
  'domain',
  'name',
  'shared-name',
  'brand-in-domain',
  'name-in-text',
  'abbreviation',
  'similar',
] as const

export type NameMatch = {
  entryId: string
  certainty: 'certain' | 'to-confirm'
  rule: (typeof RULES)[number]
  /** The words of the threat that match. */
  text: string
}

type Found = {
  matches: Map<number, NameMatch>
  /** The labels of hosts that were compared: a threat names its site several times. */
  labels: Set<string>
}
type Finding = Omit<NameMatch, 'entryId'>

/** The names that are compared for one key: the work stays bounded, whatever lists and texts contain. */
const COMPARED_MAX_COUNT = 500
const TEXT_MAX_LENGTH = 200
const SHARING_MAX_COUNT = 20
const SIMILAR_MAX_COUNT = 50
const SHARED_BEGINNING_MAX_COUNT = 3
const CUT_MIN_LENGTH = 12
const INITIALS = /^\p{Lu}{3,8}$/u
const FULL_NAME_MIN_WORDS = 4
const BRAND_PART_MIN_LENGTH = 6
const EVERYDAY_PHRASE_MIN_WORDS = 3
const LABEL_MAX_LENGTH = 63
const PREPOSITIONS = new Set(['of', 'de', 'du', 'di', 'da', 'do'])

/** The entries that a threat is about, or may be, each once with the strongest reason. */
export function matchNames(index: NameIndex, { title, victim, domains }: NamedText): NameMatch[] {
  const found: Found = { matches: new Map(), labels: new Set() }
  for (const domain of domains) {
    findByDomain(index, found, domain, { certainty: 'certain', rule: 'domain', text: domain })
    findByBrand(index, found, domain)
  }
  const subject = readThreatName(victim ?? title)
  findInText(index, found, subject, victim !== null)
  findSubject(index, found, subject, domains)
  if (victim !== null && title !== victim) findInText(index, found, readThreatText(title), false)
  return [...found.matches.values()]
}

function findInText(index: NameIndex, found: Found, name: ThreatText, isVictim: boolean): void {
  for (const host of name.hosts) findByHost(index, found, host, isVictim)
  if (name.words.length === 0) return
  const phrase = spaced(name.words)
  for (const word of name.words) {
    for (const position of findPostings(index.byRareWord, word.text).slice(0, COMPARED_MAX_COUNT)) {
      const entry = index.names[position]
      if (!entry || !phrase.includes(entry.words) || !canStandInText(entry, word, name)) continue
      add(index, found, position, toConfirm('name-in-text', wordsOf(name, entry)))
    }
  }
}

/** An everyday name in a text says nothing. A short one has to be in capitals, where not all is. */
function canStandInText(entry: IndexedName, word: NameWord, { text }: ThreatText): boolean {
  if (!entry.isEveryday || entry.wordsCount >= EVERYDAY_PHRASE_MIN_WORDS) return true
  const written = text.slice(word.start, word.end)
  return (
    entry.wordsCount === 1 &&
    !isEveryday(entry.joined) &&
    INITIALS.test(written) &&
    text !== text.toUpperCase()
  )
}

/** Compares the whole text with names. */
function findSubject(index: NameIndex, found: Found, name: ThreatName, domains: readonly string[]): void {
  const own = withoutLegalForms(name.words)
  const whole = joinWords(name.words)
  const joined = areSame(own, name.words) ? whole : joinWords(own)
  if (joined === '') return
  const text = textOf(name, name.words)
  for (const key of new Set([joined, whole, ...transliterated(name.text)]))
    findByName(index, found, key, text, domains)
  const core = areSame(name.core, own) ? joined : joinWords(name.core)
  for (const key of new Set([core, ...unbracketed(name.text), ...partsOf(name.text), joined])) {
    for (const postings of [index.byName, index.byShorterName])
      addAll(index, found, postings, key, toConfirm('name-in-text', text))
  }
  addAll(index, found, index.byBeginning, core, toConfirm('abbreviation', text))
  for (const count of [2, 3]) {
    if (count >= name.core.length) break
    const beginning = joinWords(name.core.slice(0, count))
    addAll(index, found, index.byBeginning, beginning, toConfirm('abbreviation', text))
  }
  addAll(index, found, index.byLabel, core, toConfirm('brand-in-domain', text))
  findInitials(index, found, name, own)
  findSimilar(index, found, name, core)
  findCut(index, found, name, core)
}

/** Returns true if both are the same part of a text's words. */
function areSame(some: readonly NameWord[], others: readonly NameWord[]): boolean {
  return some.length === others.length && some[0] === others[0]
}

function findByName(
  index: NameIndex,
  found: Found,
  key: string,
  text: string,
  domains: readonly string[],
): void {
  const positions = findPostings(index.byName, key)
  for (const position of positions) {
    const entry = index.names[position]
    if (!entry) continue
    const isShared =
      areOthers(entry.domains, domains) ||
      positions
        .slice(0, SHARING_MAX_COUNT)
        .some((other) => areOthers(entry.domains, index.names[other]?.domains ?? []))
    const certainty = entry.isEveryday || isShared ? 'to-confirm' : 'certain'
    add(index, found, position, { certainty, rule: isShared ? 'shared-name' : 'name', text })
  }
}

/** Returns true if both are known and none is the same. */
function areOthers(some: readonly string[], others: readonly string[]): boolean {
  return some.length > 0 && others.length > 0 && !some.some((domain) => others.includes(domain))
}

function findInitials(index: NameIndex, found: Found, name: ThreatName, own: readonly NameWord[]): void {
  const [word, ...others] = name.core
  const text = textOf(name, name.core)
  if (word && others.length === 0 && INITIALS.test(text))
    addAll(index, found, index.byInitials, word.text, toConfirm('abbreviation', text))
  for (const words of [own, name.words]) {
    if (words.length < FULL_NAME_MIN_WORDS) continue
    const initials = words.map((some) => some.text.charAt(0)).join('')
    addAll(index, found, index.byName, initials, toConfirm('abbreviation', textOf(name, words)))
  }
}

function findSimilar(index: NameIndex, found: Found, name: ThreatName, core: string): void {
  if (core.length < SIMILAR_MIN_LENGTH) return
  let compared = 0
  for (const key of findPartKeys(core)) {
    if (!index.partFilter.mayHave(key)) continue
    const positions = findPostings(index.byPart, key)
    // A part that many names have, such as "services", finds little and costs most.
    if (positions.length > SIMILAR_MAX_COUNT) continue
    for (const position of positions) {
      if (++compared > SIMILAR_MAX_COUNT) return
      const entry = index.names[position]
      if (!entry || found.matches.has(position) || !isSimilar(entry.joined, core)) continue
      if (differsInEverydayWords(entry, name.core)) continue
      add(index, found, position, toConfirm('similar', textOf(name, name.core)))
    }
  }
}

/** "Northern" and "Southern" differ in two letters and are no slip. */
function differsInEverydayWords({ words }: IndexedName, core: readonly NameWord[]): boolean {
  const own = words.trim().split(' ')
  if (own.length !== core.length) return false
  return own.some((word, at) => {
    const other = core[at]?.text ?? ''
    if (PREPOSITIONS.has(word) && PREPOSITIONS.has(other)) return false
    return word !== other && isEveryday(word) && isEveryday(other)
  })
}

/** Leak sites cut long names, and write names of several words as one. */
function findCut(index: NameIndex, found: Found, name: ThreatName, core: string): void {
  const isCut = name.cut !== null || (name.core.length === 1 && core.length >= CUT_MIN_LENGTH)
  for (const written of new Set([core, name.cut?.replace(/\.+$/u, '') ?? core])) {
    if (written.length < FIRST_LETTERS) continue
    const positions = findPostings(index.byFirstLetters, written.slice(0, FIRST_LETTERS))
    for (const position of positions.slice(0, COMPARED_MAX_COUNT)) {
      const entry = index.names[position]
      if (!entry) continue
      if (!entry.isEveryday && written.startsWith(entry.joined))
        add(index, found, position, toConfirm('name-in-text', textOf(name, name.core)))
      else if (isCut && [entry.joined, ...entry.domains].some((text) => text.startsWith(written)))
        add(index, found, position, toConfirm('similar', textOf(name, name.words)))
    }
  }
}

function findByHost(
  index: NameIndex,
  found: Found,
  { host, isSubject }: ThreatHost,
  isVictim: boolean,
): void {
  const certainty = isSubject || isVictim ? 'certain' : 'to-confirm'
  const labels = host.split('.')
  // No entry has a public suffix, such as `co.uk`, for a domain.
  for (let from = 0; from < labels.length - 1; from++)
    findByDomain(index, found, labels.slice(from).join('.'), { certainty, rule: 'domain', text: host })
  for (const label of labels.slice(0, -1)) findByBrand(index, found, label)
}

function findByDomain(index: NameIndex, found: Found, domain: string, finding: Finding): void {
  addAll(index, found, index.byDomain, domain, finding)
}

function findByBrand(index: NameIndex, found: Found, domain: string): void {
  const written = domain.split('.', 1)[0] ?? ''
  if (found.labels.has(written)) return
  found.labels.add(written)
  const label = labelOf(domain)
  if (label.length < 3 || label.length > LABEL_MAX_LENGTH) return
  const finding = toConfirm('brand-in-domain', domain)
  addAll(index, found, index.byName, label, finding)
  addAll(index, found, index.byShorterName, label, finding)
  if (label.length < BRAND_MIN_LENGTH) return
  addAll(index, found, index.byLabel, label, finding)
  addAll(index, found, index.byBeginning, label, finding)
  // A word with which several names begin distinguishes none of them.
  if (findPostings(index.byHostLabel, label).length <= SHARED_BEGINNING_MAX_COUNT)
    addAll(index, found, index.byHostLabel, label, finding)
  const parts = new Set(written.split('-').filter((part) => part.length >= BRAND_MIN_LENGTH))
  readForHashes(label)
  for (let length = BRAND_PART_MIN_LENGTH; length < label.length; length++) {
    const start = label.length - length
    if (index.nameFilter.mayHave(hashOfPart(0, length))) parts.add(label.slice(0, length))
    if (index.nameFilter.mayHave(hashOfPart(start, length))) parts.add(label.slice(start))
  }
  for (const part of parts) {
    for (const position of findPostings(index.byName, part)) {
      if (index.names[position]?.isEveryday === false) add(index, found, position, finding)
    }
  }
}

function toConfirm(rule: NameMatch['rule'], text: string): Finding {
  return { certainty: 'to-confirm', rule, text }
}

function addAll(index: NameIndex, found: Found, postings: Postings, key: string, finding: Finding): void {
  if (key === '') return
  for (const position of findPostings(postings, key)) add(index, found, position, finding)
}

function add(index: NameIndex, found: Found, position: number, finding: Finding): void {
  const entry = index.names[position]
  const held = found.matches.get(position)
  if (entry && (!held || rank(finding) < rank(held)))
    found.matches.set(position, { entryId: entry.id, ...finding })
}

function rank({ certainty, rule }: Finding): number {
  return RULES.indexOf(rule) + (certainty === 'certain' ? 0 : RULES.length)
}

function textOf(name: ThreatText, words: readonly NameWord[]): string {
  return name.text.slice(words[0]?.start, words.at(-1)?.end).slice(0, TEXT_MAX_LENGTH)
}

/** The words of a text that are an entry's name. */
function wordsOf(name: ThreatText, entry: IndexedName): string {
  const first = name.words.findIndex((_, at) =>
    spaced(name.words.slice(at, at + entry.wordsCount)).startsWith(entry.words),
  )
  return textOf(name, name.words.slice(first, first + entry.wordsCount))
}
