import type { AlertDestinations, AlertProfile } from '#contract/bff/alert.ts'
import { maskDestinations } from '#contract/bff/mask-address.ts'
import { expandNames, foldNames } from './field-names.ts'
import { Fields } from './fields.ts'
import { findList } from './find-list.ts'
import { openEnvelope } from './open-envelope.ts'
import { readCount, readLabel, readName, readNames, readText, readTime } from './read-value.ts'
import usualNames from './usual-names.json' with { type: 'json' }

const LIST_NAMES = expandNames(usualNames.alertProfileList)
const NOUNS = expandNames(usualNames.alertProfileEnvelope)
const PROFILES_MAX_COUNT = 1_000

const NAMES = foldNames(usualNames.alertProfile)

/** A profile as the vendor reports it, its destinations masked: their addresses go no further than this. */
export type ReportedProfile = Omit<AlertProfile, 'window'>

/** Reads the list of alert profiles. Null when there is no list in it; a bad entry costs only itself, and is counted. */
export function readAlertProfiles(body: unknown): { profiles: ReportedProfile[]; unreadable: number } | null {
  const entries = findList(body, LIST_NAMES)?.list
  if (!entries) return null
  const profiles = entries.slice(0, PROFILES_MAX_COUNT).flatMap((entry) => readProfile(entry) ?? [])
  return { profiles, unreadable: entries.length - profiles.length }
}

/** Reads one profile, as the vendor answers when it has created it; null where nothing identifies it. */
export function readAlertProfile(body: unknown): ReportedProfile | null {
  return readProfile(openEnvelope(body, NOUNS))
}

function readProfile(entry: unknown): ReportedProfile | null {
  const fields = Fields.of(entry)
  const id = fields?.take(NAMES.id, readText) ?? null
  if (!fields || id === null) return null
  return {
    id,
    name: fields.take(NAMES.name, readText) ?? id,
    keywords: fields.take(NAMES.keywords, readNames) ?? [],
    categories: fields.take(NAMES.categories, readNames) ?? [],
    destinations: readDestinations(fields.open(NAMES.destinations) ?? fields),
    triggeredCount: fields.take(NAMES.triggeredCount, readCount),
    createdAt: fields.take(NAMES.createdAt, readTime),
    updatedAt: fields.take(NAMES.updatedAt, readTime),
  }
}

function readDestinations(fields: Fields): AlertDestinations {
  fields.hoist()
  const readAddress = (value: unknown) => readLabel(value) ?? readName(value)
  return maskDestinations({
    email: fields.take(NAMES.email, readNames) ?? [],
    slack: fields.take(NAMES.slack, readAddress),
    teams: fields.take(NAMES.teams, readAddress),
  })
}
