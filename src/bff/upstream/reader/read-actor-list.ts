import type { ListedActor } from '#contract/bff/actor.ts'
import { readCountedNames } from './counted-names.ts'
import { foldName, foldNames } from './field-names.ts'
import { Fields } from './fields.ts'
import { findList } from './find-list.ts'
import { openEnvelope } from './open-envelope.ts'
import {
  entriesOf,
  membersOf,
  readCount,
  readLabel,
  readName,
  readNames,
  readNumber,
  readTime,
  readWord,
} from './read-value.ts'
import usualNames from './usual-names.json' with { type: 'json' }

const { list: LIST_NAMES, map } = foldNames(usualNames.actorList)
/** Names under which a map is one of actors, by their names. */
const MAP_NAMES = new Set(map)
const ACTORS_MAX_COUNT = 1_000

const ACTOR_NAMES = foldNames(usualNames.actor)

export type ListedActors = {
  actors: ListedActor[]
  /** Entries that could not be read. */
  unreadable: number
}

/** Names of integers that are no count of mentions, and of times that are no latest observation. */
const OTHER_NUMBER = /id$|rank|position|index|year|score|level|version|page|victim|countr|^age$/
const OTHER_TIME = /first|earliest|creat|born|since|start|join|from/
const OTHER_WORD = /id$|slug|status|country|origin|description|summary|categor|type|alias/

/** Reads the list of actors. Null when there is no list in it; a bad entry costs only itself. */
export function readActorList(body: unknown): ListedActors | null {
  const entries = (findList(body, LIST_NAMES)?.list ?? entriesByName(body))?.slice(0, ACTORS_MAX_COUNT)
  if (!entries) return null
  const actors = entries.flatMap((entry) => readActor(entry) ?? [])
  return { actors, unreadable: entries.length - actors.length }
}

function readActor(entry: unknown): ListedActor | null {
  const fields = Fields.of(typeof entry === 'string' ? { name: entry } : entry)
  if (!fields) return null
  fields.hoist()
  const categories = fields.take(ACTOR_NAMES.categories, readNames) ?? []
  const name = fields.take(ACTOR_NAMES.name, readLabel) ?? fields.take(ACTOR_NAMES.name, readName)
  const mentions = fields.take(ACTOR_NAMES.mentions, readCount)
  const latestObservedAt = fields.take(ACTOR_NAMES.latestObservedAt, readTime)
  const actor = {
    name: name ?? fields.takeOnly((value, key) => (OTHER_WORD.test(key) ? null : readWord(value))),
    mentions:
      mentions ?? fields.takeOnly((value, key) => (OTHER_NUMBER.test(key) ? null : readNumber(value))),
    latestObservedAt: latestObservedAt ?? fields.takeOnly(readOnlyTime),
    categories,
  }
  return actor.name === null ? null : { ...actor, name: actor.name, otherFields: fields.rest() }
}

/** Digits alone are a time only where the name says so. */
function readOnlyTime(value: unknown, name: string): string | null {
  const isText = typeof value === 'string' && /\D/.test(value)
  const isNamedTime = /seen|observ|activ|date|time|last|latest|at$/.test(name)
  return OTHER_TIME.test(name) || !(isText || isNamedTime) ? null : readTime(value)
}

/** A map of actors: from names to counts, or to what else is known. */
function entriesByName(body: unknown): unknown[] | null {
  const [, value] = entriesOf(openEnvelope(body, [])).find(([name]) => MAP_NAMES.has(foldName(name))) ?? []
  const members = entriesOf(value)
  if (members.length > 0 && members.every(([, known]) => membersOf(known)))
    return members.map(([name, known]) => Object.fromEntries([...entriesOf(known), ['name', name]]))
  return readCountedNames(value)?.map(({ name, count }) => ({ name, mentions: count })) ?? null
}
