import type { OtherField, Threat } from '#contract/bff/threat.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { expandNames, foldName } from './field-names.ts'
import { Fields } from './fields.ts'
import { ENVELOPE_NAMES, openEnvelope } from './open-envelope.ts'
import { readThreat, THREAT_NAMES } from './read-threat.ts'
import { readThreatId } from './read-threat-id.ts'
import { readThreatParts, type ThreatParts } from './read-threat-parts.ts'
import { entriesOf, readText } from './read-value.ts'
import { Redaction } from './redaction.ts'
import usualNames from './usual-names.json' with { type: 'json' }

const NOUNS = expandNames(usualNames.threatEnvelope)
const HOLDERS = new Set([...ENVELOPE_NAMES, ...NOUNS])
/** Objects about something else than the threat itself: their `name`, `type` or `date` is not the threat's. */
const OF_OTHERS = expandNames(usualNames.aboutOthers)
const GUARDED = new Set([...OF_OTHERS, ...Object.values(THREAT_NAMES).flat()])
const JSON_MAX_LENGTH = 1024 * 1024

/** One threat as one route set reports it. */
export type ThreatRecord = Threat &
  ThreatParts & {
    content: string | null
    otherFields: OtherField[]
    /** The original JSON, cut if it is larger than anybody reads. */
    json: string
  }

/** Reads the answer to a request for one threat; null when it has no record with that id. */
export function readThreatRecord(set: RouteSet, id: string, body: unknown): ThreatRecord | null {
  const record = openRecord(body, (value) => Fields.of(value)?.take(THREAT_NAMES.id, readThreatId)?.id === id)
  const fields = Fields.of(record)
  fields?.hoist((name) => GUARDED.has(name))
  const redaction = new Redaction()
  const threat = fields && readThreat(set, fields, redaction)
  if (!fields || threat?.id !== id) return null

  return {
    ...threat,
    content: redaction.text('content', fields.take(THREAT_NAMES.content, readText)),
    ...readThreatParts(fields, redaction),
    redacted: redaction.fields,
    otherFields: fields.rest(),
    json: JSON.stringify(record).slice(0, JSON_MAX_LENGTH).toWellFormed(),
  }
}

/** The record in its envelopes, in a list or beside something else. */
function openRecord(body: unknown, isRequested: (value: unknown) => boolean): unknown {
  const opened = openEnvelope(body, NOUNS)
  if (isRequested(opened)) return opened
  const values = Array.isArray(opened)
    ? opened
    : entriesOf(opened)
        .filter(([name]) => HOLDERS.has(foldName(name)))
        .map(([, value]) => value)
  return values.map((value) => openRecord(value, isRequested)).find(isRequested) ?? opened
}
