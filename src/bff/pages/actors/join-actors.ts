import { type Tallies, type Tally, toConcerns } from '#bff/store/index/read-tallies.ts'
import { wantedTerms } from '#bff/store/index/threat-terms.ts'
import type { Actor, ListedActor } from '#contract/bff/actor.ts'
import { normaliseText } from '#matcher/normalise-text.ts'

/** The stored threats, the vendor's own list, or both know an actor. */
export type KnownActor = {
  tally: Tally | null
  listed: ListedActor | null
  /** Records of the period in the reader's own industries and countries; null where the reader has not chosen both. */
  concerns: Pick<Actor, 'concerns' | 'concernCases'>
}

/** Countries (alpha-2) and industries of the reader's own. */
export type Interests = { country?: string[] | undefined; industry?: string[] | undefined }

/** The term by which the index finds an actor, whatever the letter case, accents and widths of its name. */
export function actorTerm(name: string): string {
  return (
    wantedTerms({ actor: [name] })
      .get('actor')
      ?.at(0) ?? ''
  )
}

/** Each actor once: those that stored threats name, and those that only the vendor's list names. */
export function joinActors(
  tallies: Tallies,
  listed: readonly ListedActor[],
  interests: Interests,
): Map<string, KnownActor> {
  const counts = tallies.countConcerns(interests)
  const concernsOf = (term: string) => toConcerns(counts, term, tallies)
  const known = new Map<string, KnownActor>(
    [...tallies.byTerm].map(([term, tally]) => [term, { tally, listed: null, concerns: concernsOf(term) }]),
  )
  for (const entry of listed) {
    const term = actorTerm(entry.name)
    const before = known.get(term)
    if (term !== '' && !before?.listed)
      known.set(term, { tally: before?.tally ?? null, listed: entry, concerns: concernsOf(term) })
  }
  return known
}

export function nameOf({ tally, listed }: KnownActor): string {
  return tally?.value ?? listed?.name ?? ''
}

/** Folds spellings that differ in letter case, accents and spaces. */
export function foldName(text: string): string {
  return normaliseText(text).replaceAll(' ', '') || text.toLowerCase()
}

/** The actor of this name, or the only one that has it as another name. */
export function findByName(known: ReadonlyMap<string, KnownActor>, name: string): KnownActor | undefined {
  const actor = known.get(actorTerm(name))
  if (actor) return actor
  const folded = foldName(name)
  const found = [...known.values()].filter((each) =>
    aliasesOf(each).some((alias) => foldName(alias) === folded),
  )
  return found.length === 1 ? found[0] : undefined
}

const ALIAS = /^(?:alias|aka|alsoknownas|othernames?|synonym)/

/** Other names, where the vendor's entry has any. */
export function aliasesOf({ listed }: KnownActor): string[] {
  const aliases = listed?.otherFields.filter(({ path }) => ALIAS.test(foldPath(path))) ?? []
  return [...new Set(aliases.flatMap(({ value }) => value.split(/[,;|]/)).map((name) => name.trim()))].filter(
    (name) => name !== '' && name !== listed?.name,
  )
}

/** Returns the fields of the vendor's entry other than the names. */
export function otherFieldsOf({ listed }: KnownActor) {
  return listed?.otherFields.filter(({ path }) => !ALIAS.test(foldPath(path))) ?? []
}

function foldPath(path: string): string {
  return path.toLowerCase().replace(/[^a-z]/g, '')
}
