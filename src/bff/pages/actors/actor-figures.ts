import type { Tallies, Tally } from '#bff/store/index/read-tallies.ts'
import type { Actor, ActorDetail } from '#contract/bff/actor.ts'
import type { FacetName } from '#contract/bff/threat-list.ts'
import { aliasesOf, type KnownActor, nameOf, otherFieldsOf } from './join-actors.ts'

const TARGETS_MAX_COUNT = 3

type Figures = Omit<Actor, 'categories' | 'countries' | 'industries'>

/** Returns one actor for the list. */
export function toActor(known: KnownActor, tallies: Tallies): Actor {
  const { tally, listed } = known
  const top = (name: FacetName) => valuesOf(tally, name).slice(0, TARGETS_MAX_COUNT)
  const counted = valuesOf(tally, 'category')
  return {
    ...figuresOf(known, tallies),
    categories: counted.length > 0 ? counted : (listed?.categories ?? []),
    countries: top('country'),
    industries: top('industry'),
  }
}

/** Returns one actor for its own page. */
export function toActorDetail(known: KnownActor, tallies: Tallies): ActorDetail {
  const { tally, listed } = known
  const counted = (name: FacetName) => [...(tally?.others.get(name) ?? [])]
  const categories = counted('category')
  const isCounted = (category: string) =>
    categories.some(({ value }) => value.toLowerCase() === category.toLowerCase())
  return {
    ...figuresOf(known, tallies),
    aliases: aliasesOf(known),
    categories,
    countries: counted('country'),
    industries: counted('industry'),
    severities: counted('severity'),
    victims: tally?.victims ?? 0,
    listedCategories: (listed?.categories ?? []).filter((category) => !isCounted(category)),
    otherFields: otherFieldsOf(known),
  }
}

function figuresOf(known: KnownActor, { stored, none }: Tallies): Figures {
  const { tally, listed, concerns } = known
  const { counts, caseCounts } = tally ?? none
  const times = [tally?.latestAt, listed?.latestObservedAt].filter((time) => typeof time === 'string')
  return {
    name: nameOf(known),
    isHeld: tally !== null,
    mentions: tally ? tally.count : stored ? 0 : null,
    ...(caseCounts && { cases: tally ? (tally.cases ?? null) : stored ? 0 : null, caseCounts }),
    compared: tally?.compared ?? null,
    week: (tally ?? none).week,
    firstObservedAt: tally?.firstAt ?? null,
    latestObservedAt: times.sort().at(-1) ?? null,
    counts,
    listedMentions: listed?.mentions ?? null,
    ...concerns,
  }
}

function valuesOf(tally: Tally | null, name: FacetName): string[] {
  return (tally?.others.get(name) ?? []).map(({ value }) => value)
}
