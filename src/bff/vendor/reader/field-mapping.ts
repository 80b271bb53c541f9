import * as z from 'zod/mini'
import { type FieldNames, foldName, pinNames } from './field-names.ts'
import { ACTOR_NAMES, type ActorNames } from './read-actor-list.ts'
import { COUNTRY_NAMES, type CountryNames } from './read-country-statistics.ts'
import { THREAT_NAMES, type ThreatNames } from './read-threat.ts'

const PIN_MAX_LENGTH = 128

const pinSchema = z.string('must be a name').check(
  z.maxLength(PIN_MAX_LENGTH, `must be ${PIN_MAX_LENGTH} characters or fewer`),
  z.refine((name) => foldName(name) !== '', 'must be a name with letters or digits'),
)

/** An operator's own names for members of ours: `{ "actor": { "mentions": "stats.hits" } }`. */
export const fieldMappingSchema = z.strictObject({
  actor: pinsSchema(ACTOR_NAMES),
  country: pinsSchema(COUNTRY_NAMES),
  threat: pinsSchema(THREAT_NAMES),
})
export type FieldMapping = z.infer<typeof fieldMappingSchema>

/** The names by which the readers find each member. */
export function nameFields({ actor, country, threat }: FieldMapping): {
  actor: ActorNames
  country: CountryNames
  threat: ThreatNames
} {
  return {
    actor: pinNames(ACTOR_NAMES, actor),
    country: pinNames(COUNTRY_NAMES, country),
    threat: pinNames(THREAT_NAMES, threat),
  }
}

function pinsSchema<Member extends string>(names: FieldNames<Member>) {
  const members = z.enum(namesOf(names))
  return z.optional(z.partialRecord(members, pinSchema))
}

function namesOf<Member extends string>(names: FieldNames<Member>): Member[] {
  const members: Member[] = []
  for (const member in names) members.push(member)
  return members
}
