import type { Actor, ActorDetail, ActorList } from '#contract/bff/actor.ts'

const FRESH = {
  fetchedAt: '2026-04-10T12:00:00.000Z',
  isStale: false,
  staleReason: null,
  covers: { from: '2026-02-08T00:00:00.000Z', to: '2026-04-10T12:00:00.000Z' },
}

/** The 30 days to the 10th of April. */
export const DAYS = Array.from({ length: 30 }, (_, at) => ({
  date: new Date(Date.parse('2026-03-12') + at * 86_400_000).toISOString().slice(0, 10),
  coverage: 'whole' as const,
}))

const FIGURES = {
  isHeld: true,
  mentions: 12,
  previousMentions: 6,
  week: { count: 3, before: 1 },
  firstObservedAt: '2026-03-01T01:00:00.000Z',
  latestObservedAt: '2026-04-09T01:00:00.000Z',
  counts: DAYS.map(() => 0),
  listedMentions: 120,
  targeted: { countries: [], industries: [] },
}

export function makeActor(name: string, some: Partial<Actor> = {}): Actor {
  return { name, ...FIGURES, categories: ['Ransomware'], countries: ['DE'], industries: ['Energy'], ...some }
}

export function makeActorList(actors: Actor[], some: Partial<ActorList> = {}): ActorList {
  return {
    actors,
    total: actors.length,
    tabs: { all: actors.length, rising: 1, new: null, targeting: null },
    days: DAYS,
    listing: { fetchedAt: '2026-04-10T11:00:00.000Z', absent: null },
    freshness: FRESH,
    ...some,
  }
}

export function makeActorAnswer(name: string, some: Partial<ActorDetail> = {}) {
  const actor: ActorDetail = {
    name,
    ...FIGURES,
    aliases: ['ABCD'],
    categories: [{ value: 'Ransomware', count: 12 }],
    countries: [{ value: 'DE', count: 7 }],
    industries: [{ value: 'Energy', count: 5 }],
    severities: [{ value: 'high', count: 12 }],
    victims: 9,
    listedCategories: [],
    otherFields: [{ path: 'motive', value: 'money at http://pay.example' }],
    ...some,
  }
  const { days, listing, freshness } = makeActorList([])
  return { actor, days, listing, freshness }
}
