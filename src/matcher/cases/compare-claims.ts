import { CASE_DAYS, type JoinRule } from '#contract/bff/case.ts'
import { DAY_MS } from '#contract/duration.ts'
import { isEveryday } from '../names/explain-entry.ts'
import { labelOf, spaced } from '../names/name-index.ts'
import { isSimilar } from '../names/similar-name.ts'
import { normaliseText } from '../normalise-text.ts'
import type { Claim, Join } from './claim.ts'
import { isGovernment, type ReadClaim, readClaim, type VictimName } from './read-claim.ts'

const TEXT_MAX_LENGTH = 200
const SITE_MIN_LENGTH = 5
/** Shorter names are part of many domains' names. */
const BRAND_MIN_LENGTH = 7
const BEGINNING_MIN_LENGTH = 10
const REPEATED_MIN_LENGTH = 8
const EDGE_LENGTH = 4
const ACTOR_MIN_LENGTH = 4
/** Shorter words stand in domains by chance. */
const WORD_MIN_LENGTH = 4
const FULL_NAME_MIN_WORDS = 3

/** Two claims, and facts that every rule weighs. */
type Pair = { one: ReadClaim; other: ReadClaim; isOneActor: boolean; contradicts: boolean }

/**
 * Says why two claims are of one victim; null where nothing says so. Certain are: the same domain of its own; the same
 * distinctive name, unless domains or countries contradict; a repeated name of one actor. Claims that are more than 30 days
 * apart are never of one case, and those without a date are never certain.
 */
export function compareClaims(one: Claim, other: Claim): Join | null {
  if (one.at !== null && other.at !== null && Math.abs(one.at - other.at) > CASE_DAYS * DAY_MS) return null
  const join = compareVictims(readClaim(one), readClaim(other))
  const isDated = one.at !== null && other.at !== null
  return join && !isDated ? { ...join, certainty: 'likely' } : join
}

function compareVictims(one: ReadClaim, other: ReadClaim): Join | null {
  const domain = one.ownDomains.find((own) => other.ownDomains.includes(own))
  if (domain !== undefined)
    return haveOtherNames(one, other) && (isGovernment(domain) || !isOwn(domain, one, other))
      ? likely('domain', domain)
      : certain('domain', domain)
  const pair = {
    one,
    other,
    isOneActor: one.actors.some((actor) => other.actors.some((name) => isOneActor(actor, name))),
    contradicts: areOthers(one.ownDomains, other.ownDomains) || areOthers(one.countries, other.countries),
  }
  const joins = one.names.flatMap((name) =>
    other.names.flatMap((near) => compareNames(pair, name, near) ?? []),
  )
  return joins.find(({ certainty }) => certainty === 'certain') ?? joins[0] ?? findBrand(pair)
}

/** Returns true if a name of either claim is written in the domain, as far as its first letters or a word of it. */
function isOwn(domain: string, ...claims: readonly ReadClaim[]): boolean {
  const label = labelOf(domain)
  return claims.some(({ names }) =>
    names.some(
      ({ joined, words, initials }) =>
        joined.includes(label) ||
        label.includes(joined) ||
        initials.some((letters) => letters.length >= 3 && label.startsWith(letters)) ||
        words.some(({ text }) => text.length >= WORD_MIN_LENGTH && label.includes(text)),
    ),
  )
}

function haveOtherNames({ names }: ReadClaim, { names: others }: ReadClaim): boolean {
  return areOthers(
    names.map(({ joined }) => joined),
    others.map(({ joined }) => joined),
  )
}

function compareNames(pair: Pair, name: VictimName, near: VictimName): Join | null {
  if (name.isMasked || near.isMasked)
    return pair.isOneActor && name.joined === near.joined ? likely('repost', name.text) : null
  if (name.joined === near.joined) return sameName(pair, name)
  if (areOthers(pair.one.ownDomains, pair.other.ownDomains)) return null
  const [short, long] = name.beginning.length <= near.beginning.length ? [name, near] : [near, name]
  if (isRepeated(pair, short, long)) return certain('repost', short.text)
  if (
    haveEqualEdge(name.joined, near.joined) &&
    isSimilar(name.joined, near.joined) &&
    !differInEverydayWords(name, near)
  )
    return likely('similar', long.text)
  if (isWithin(short, long)) return likely('name-in-name', short.text)
  return name.initials.includes(near.joined) || near.initials.includes(name.joined)
    ? likely('abbreviation', short.text)
    : null
}

function sameName(
  { isOneActor, contradicts }: Pair,
  { isDistinctive, text, words }: VictimName,
): Join | null {
  if (isDistinctive || words.length >= FULL_NAME_MIN_WORDS)
    return contradicts ? likely('name', text) : certain('name', text)
  if (contradicts) return null
  // Two groups that name "Delta" may mean two victims; one group that does so twice adds files of one.
  return isOneActor ? certain('repost', text) : likely('everyday-name', text)
}

/** One group posts a victim again, with additions, or with all of a name that was cut before. */
function isRepeated({ isOneActor, contradicts }: Pair, short: VictimName, long: VictimName): boolean {
  if (!isOneActor || contradicts || short.joined.length < REPEATED_MIN_LENGTH) return false
  return long.beginning.startsWith(short.beginning) && (short.isCut || short.isDistinctive)
}

/** One claim names the victim, the other one its domain. */
function findBrand({ one, other, isOneActor, contradicts }: Pair): Join | null {
  for (const [named, sited] of [
    [one, other],
    [other, one],
  ] as const) {
    for (const domain of sited.ownDomains) {
      const label = labelOf(domain)
      for (const { joined, isDistinctive, isMasked } of named.names) {
        if (isMasked || joined.length < SITE_MIN_LENGTH) continue
        if (joined === label)
          return contradicts || !isDistinctive || label.length < BRAND_MIN_LENGTH
            ? likely('brand-in-domain', domain)
            : certain('brand-in-domain', domain)
        const isLong = isOneActor || joined.length >= BRAND_MIN_LENGTH
        if (label.startsWith(joined) && isDistinctive && isLong && !contradicts)
          return likely('brand-in-domain', domain)
      }
    }
  }
  return null
}

/** Spares the slow comparison of names that share neither beginning nor end. */
function haveEqualEdge(one: string, other: string): boolean {
  return (
    one.slice(0, EDGE_LENGTH) === other.slice(0, EDGE_LENGTH) ||
    one.slice(-EDGE_LENGTH) === other.slice(-EDGE_LENGTH)
  )
}

function isWithin(short: VictimName, long: VictimName): boolean {
  if (!short.isDistinctive) return false
  if (short.words.length > 0 && spaced(long.words).includes(spaced(short.words))) return true
  return short.joined.length >= BEGINNING_MIN_LENGTH && long.joined.startsWith(short.joined)
}

/** "Northern" and "Southern" differ in two letters and are no slip. */
function differInEverydayWords({ words }: VictimName, { words: others }: VictimName): boolean {
  return (
    words.length === others.length &&
    words.some(({ text }, at) => {
      const near = others[at]?.text ?? ''
      return text !== near && isEveryday(text) && isEveryday(near)
    })
  )
}

/** Returns true if both are known and none is the same. */
function areOthers(some: readonly string[], others: readonly string[]): boolean {
  return some.length > 0 && others.length > 0 && !some.some((value) => others.includes(value))
}

/** Sources write one actor as "lockbit2" and "LockBit 3.0", or as "hive" and "hiveleak". */
export function isOneActor(one: string, other: string): boolean {
  const [short = '', long = ''] = [one, other].map(withoutVersion).toSorted((a, b) => a.length - b.length)
  return short === long || (short.length >= ACTOR_MIN_LENGTH && long.startsWith(short))
}

function withoutVersion(actor: string): string {
  const name = normaliseText(actor)
  // A name of digits alone has no version.
  return name.replace(/[\p{N}\s]/gu, '') || name
}

function certain(rule: JoinRule, text: string): Join {
  return { certainty: 'certain', rule, text: text.slice(0, TEXT_MAX_LENGTH) }
}

function likely(rule: JoinRule, text: string): Join {
  return { certainty: 'likely', rule, text: text.slice(0, TEXT_MAX_LENGTH) }
}
