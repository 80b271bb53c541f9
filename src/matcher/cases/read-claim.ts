import { explainEntry } from '../names/explain-entry.ts'
import { labelOf } from '../names/name-index.ts'
import { joinWords, type NameWord } from '../names/read-name.ts'
import { readThreatName } from '../names/read-threat-name.ts'
import type { Claim } from './claim.ts'

/** A victim's name as claims compare it. */
export type VictimName = {
  text: string
  words: readonly NameWord[]
  joined: string
  /** First letters of its words, with and without those that are left out elsewhere. */
  initials: readonly string[]
  /** The text, as far as it was not cut. */
  beginning: string
  isCut: boolean
  /** Letters are hidden: only the same writing is the same name. */
  isMasked: boolean
  /** Few organisations have the name. */
  isDistinctive: boolean
}

/** A claim that was read for its victims. */
export type ReadClaim = Claim & {
  names: readonly VictimName[]
  /** The victim's own domains. */
  ownDomains: readonly string[]
}

/** A claim of more victims is a list of them. */
const NAMES_MAX_COUNT = 5
const DOMAINS_MAX_COUNT = 5
const INITIALS_MIN_WORDS = 3
const CUT = /(?:\.{2,}|…)\s*$/u
const BEFORE_HOST = /^(?:https?:\/\/)?(?:www\d?\.)?/iu
const PART = /[^\p{L}\p{N}](?:part|pt|vol)[^\p{L}\p{N}]{0,3}\p{N}.*$/iu
const MASKED = /[*•█]{2}|\?{3}|[xX]{4}/u
const HIDDEN = /[*•█?xX\s]/gu
const VISIBLE_MIN_LETTERS = 2
const MASKED_MIN_LENGTH = 6
const MASKED_MAX_LENGTH = 60
const GOVERNMENT = /(?:^|\.)(?:go[bv]|gouv|govt|gub|mil)(?:\.[a-z]{2})?$/u
/** Domains that organisations use and do not own. */
const SHARED_DOMAINS: ReadonlySet<string> = new Set(
  'amazonaws.com azurewebsites.net blogspot.com example.com example.net example.org facebook.com github.com github.io gmail.com google.com hotmail.com instagram.com linkedin.com mega.nz myshopify.com outlook.com sharepoint.com squarespace.com t.me telegram.org tumblr.com twitter.com weebly.com wikipedia.org wixsite.com wordpress.com x.com yahoo.com youtube.com zoominfo.com'.split(
    ' ',
  ),
)

/** A claim is compared with many others, and reading it takes the most time. */
const READ = new WeakMap<Claim, ReadClaim>()

/** Reads a claim for its victims: the names that it gives, or the one that its title may be. */
export function readClaim(claim: Claim): ReadClaim {
  const held = READ.get(claim)
  if (held) return held
  const texts = claim.victims.length > 0 ? claim.victims : [claim.title ?? '']
  const names = texts
    .slice(0, NAMES_MAX_COUNT)
    .map((text) => (MASKED.test(text) ? readMaskedName(text) : readVictimName(text)))
    .filter(({ joined }) => joined !== '')
  const ownDomains = claim.domains.filter((domain) => !SHARED_DOMAINS.has(domain)).slice(0, DOMAINS_MAX_COUNT)
  const read = { ...claim, names, ownDomains }
  READ.set(claim, read)
  return read
}

/** The hosts that a claim names as its victim, such as `www.okapi.example`. One that was cut is none. */
export function victimHosts({
  title,
  victims,
}: {
  title: string | null
  victims: readonly string[]
}): string[] {
  const texts = victims.length > 0 ? victims.slice(0, NAMES_MAX_COUNT) : [title ?? '']
  return texts.flatMap((text) => {
    const name = readThreatName(text)
    return isCut(name) ? [] : name.hosts.flatMap(({ host, isSubject }) => (isSubject ? host : []))
  })
}

/** Returns true for a domain that many authorities may share. */
export function isGovernment(domain: string): boolean {
  return GOVERNMENT.test(domain)
}

/** Leak sites cut long names. */
function isCut({ text }: { text: string }): boolean {
  return CUT.test(text)
}

/** A victim that is named by its site is called by what the site is called. */
function readVictimName(source: string): VictimName {
  const name = readThreatName(source.replace(PART, ''))
  const site = name.hosts.find(({ isSubject }) => isSubject)?.host.replace(BEFORE_HOST, '')
  const own = site ?? name.text.slice(name.core[0]?.start, name.core.at(-1)?.end)
  const joined = site === undefined ? joinWords(name.core) : labelOf(site)
  return {
    text: own,
    words: site === undefined ? name.core : [],
    joined,
    initials: site === undefined ? [initialsOf(name.core), initialsOf(name.words)] : [],
    beginning: (isCut(name) ? name.text.trim().replace(CUT, '') : own).toLowerCase().replace(BEFORE_HOST, ''),
    isCut: isCut(name),
    isMasked: false,
    isDistinctive: explainEntry({ name: site === undefined ? own : joined }).everydayName === null,
  }
}

/** A name of which too little is visible is none. */
function readMaskedName(source: string): VictimName {
  const text = source.trim().slice(0, MASKED_MAX_LENGTH)
  const isReadable =
    text.length >= MASKED_MIN_LENGTH && text.replace(HIDDEN, '').length >= VISIBLE_MIN_LETTERS
  return {
    text,
    words: [],
    joined: isReadable ? text.toLowerCase() : '',
    initials: [],
    beginning: text,
    isCut: false,
    isMasked: true,
    isDistinctive: false,
  }
}

function initialsOf(words: readonly NameWord[]): string {
  return words.length < INITIALS_MIN_WORDS ? '' : words.map(({ text }) => text.charAt(0)).join('')
}
