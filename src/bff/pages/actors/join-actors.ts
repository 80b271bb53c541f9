import { type Tallies, type Tally, toConcerns } from '#bff/store/index/read-tallies.ts'
import { wantedTerms } from '#bff/store/index/threat-terms.ts'
import type { Actor, ActorList, ActorListQuery, ListedActor } from '#contract/bff/actor.ts'
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

type Tab = ActorListQuery['tab']
type FindOptions = { query: ActorListQuery; tallies: Tallies }
type Found = { actors: KnownActor[]; tabs: ActorList['tabs'] }

/** The actors that match a search and a tab, in the order of the query, and how many each tab has. */
export function findActors(known: Iterable<KnownActor>, { query, tallies }: FindOptions): Found {
  const words = wordsOf(query.q ?? '')
  const searched = [...known].filter((actor) => words.every((word) => isNamed(actor, word)))
  const { stored, weekStartsAt, none } = tallies
  // An actor is new or rising only in comparison with the 7 days before.
  const areWeeksCompared = Boolean(none.week?.compared)
  const hasInterests = Boolean(query.country?.length && query.industry?.length)
  const holds: Record<Tab, (actor: KnownActor) => boolean> = {
    all: () => true,
    rising: (actor) => riseOf(actor) > 0,
    new: ({ tally }) => Date.parse(tally?.firstAt ?? '') >= weekStartsAt,
    concerning: ({ concerns: { concerns } }) => concerns !== null && concerns > 0,
  }
  const tabs = {
    all: searched.length,
    rising: areWeeksCompared ? searched.filter(holds.rising).length : null,
    new: areWeeksCompared ? searched.filter(holds.new).length : null,
    concerning: stored && hasInterests ? searched.filter(holds.concerning).length : null,
  }
  const actors = tabs[query.tab] === null ? [] : searched.filter(holds[query.tab])
  return { actors: sortActors(actors, query), tabs }
}

/** Returns how many more mentions, or cases where these are counted, the last 7 days have than the same part of the 7 before. */
function riseOf({ tally }: KnownActor): number {
  const compared = tally?.week?.compared
  if (!compared) return Number.NEGATIVE_INFINITY
  const { count, previous } = compared.cases ?? compared
  return count - previous
}

function sortActors(actors: readonly KnownActor[], { sort, order }: ActorListQuery): KnownActor[] {
  const byName = new Map(actors.map((actor) => [actor, foldName(nameOf(actor))]))
  const compareNames = (a: KnownActor, b: KnownActor) => compare(byName.get(a) ?? '', byName.get(b) ?? '')
  const most = (of: (actor: KnownActor) => number) => (a: KnownActor, b: KnownActor) => compare(of(b), of(a))
  const orders = {
    mentions: most(({ tally }) => tally?.cases ?? tally?.count ?? -1),
    listed: most(({ listed }) => listed?.mentions ?? -1),
    change: most(riseOf),
    latest: most(({ tally, listed }) =>
      Math.max(...[tally?.latestAt, listed?.latestObservedAt].map((at) => (at ? Date.parse(at) : 0))),
    ),
    name: compareNames,
  }
  const sign = order === 'reverse' ? -1 : 1
  return actors.toSorted(
    (a, b) =>
      sign * orders[sort](a, b) || sign * orders.mentions(a, b) || orders.listed(a, b) || compareNames(a, b),
  )
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function wordsOf(q: string): string[] {
  return normaliseText(q)
    .split(' ')
    .filter((word) => word !== '')
}

/** A part of a name finds it, since names are written with and without spaces: `lock bit`, `LockBit`. */
function isNamed(actor: KnownActor, word: string): boolean {
  return [nameOf(actor), ...aliasesOf(actor)].some((name) => foldName(name).includes(word))
}
