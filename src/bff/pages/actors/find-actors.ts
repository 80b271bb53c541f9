import type { Tallies } from '#bff/store/index/read-tallies.ts'
import type { ActorList, ActorListQuery } from '#contract/bff/actor.ts'
import { normaliseText } from '#matcher/normalise-text.ts'
import { aliasesOf, foldName, type KnownActor, nameOf } from './join-actors.ts'

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
