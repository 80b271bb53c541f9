import type { Actor, ActorQuery } from '#contract/bff/actor.ts'
import { foldName, type KnownActor } from './join-actors.ts'

export type FindTargeted = (actor: KnownActor) => Actor['targeted']

/** Finds those of the query's countries and industries in which an actor was seen. */
export function createFindTargeted({
  country = [],
  industry = [],
}: Pick<ActorQuery, 'country' | 'industry'>): FindTargeted {
  const countries = new Set(country.map((code) => code.toUpperCase()))
  const industries = new Set(industry.map(foldName))
  return ({ tally }) => {
    const seenIn = (name: 'country' | 'industry', isOwn: (value: string) => boolean) =>
      (tally?.others.get(name) ?? []).map(({ value }) => value).filter(isOwn)
    return {
      countries: countries.size === 0 ? [] : seenIn('country', (code) => countries.has(code.toUpperCase())),
      industries: industries.size === 0 ? [] : seenIn('industry', (name) => industries.has(foldName(name))),
    }
  }
}
