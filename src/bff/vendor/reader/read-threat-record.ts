import type { OtherField } from '#contract/bff/other-field.ts'
import type { Analysis, Threat } from '#contract/bff/threat.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { foldName } from './field-names.ts'
import { Fields } from './fields.ts'
import { ENVELOPE_NAMES, openEnvelope } from './open-envelope.ts'
import { readId, readThreat, THREAT_NAMES, type ThreatNames } from './read-threat.ts'
import { listOf, membersOf, type ReadValue, readNames, readText } from './read-value.ts'
import { Redaction } from './redaction.ts'

const NOUNS = ['threat', 'record']
const HOLDERS = new Set([...ENVELOPE_NAMES, ...NOUNS])
/** Objects about something else than the threat itself: their `name`, `type` or `date` is not the threat's. */
const OF_OTHERS = ['source', 'sources', 'author', 'feed', 'forum', 'site', 'related', 'meta', 'links']
const IMPACT_NAMES = ['impact', 'aiimpact', 'analysisimpact']
const RECOMMENDATION_NAMES = [
  'recommendations',
  'recommendation',
  'airecommendations',
  'analysisrecommendations',
]
const EVIDENCE_MAX_COUNT = 100
const JSON_MAX_LENGTH = 1024 * 1024

/** One threat as one route set reports it. */
export type ThreatRecord = Threat & {
  content: string | null
  sourceUrl: string | null
  analysis: Analysis | null
  evidence: { type: string | null; url: string }[]
  otherFields: OtherField[]
  /** As it came; cut where it is larger than anybody reads. */
  json: string
}

/** Reads the answer to a request for one threat; null when it has no record with that id. */
export function readThreatRecord(
  set: RouteSet,
  id: string,
  body: unknown,
  names: ThreatNames = THREAT_NAMES,
): ThreatRecord | null {
  const record = openRecord(body, (value) => Fields.of(value)?.take(names.id, readId) === id)
  const fields = Fields.of(record)
  const guarded = new Set([...OF_OTHERS, ...Object.values(names).flat()])
  fields?.hoist((name) => guarded.has(name))
  const redaction = new Redaction()
  const threat = fields && readThreat(set, fields, { names, redaction })
  if (!fields || threat?.id !== id) return null

  const parts = {
    content: redaction.text('content', fields.take(names.content, readText)),
    sourceUrl: redaction.text('sourceUrl', fields.take(names.sourceUrl, readText)),
    analysis: readAnalysis(fields, names.analysis, redaction),
    evidence: (fields.take(names.evidence, readEvidence) ?? []).filter(
      ({ url }) => redaction.text('evidence', url) !== null,
    ),
  }
  return {
    ...threat,
    ...parts,
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
    : [...(membersOf(opened) ?? [])].flatMap(([name, value]) => (HOLDERS.has(foldName(name)) ? value : []))
  return values.map((value) => openRecord(value, isRequested)).find(isRequested) ?? opened
}

/** Either set's analysis: an object, a running text, or one of each. */
function readAnalysis(fields: Fields, names: readonly string[], redaction: Redaction): Analysis | null {
  const open = (text: string | null | undefined) => redaction.text('analysis', text ?? null)
  const parts = fields.open(names)
  /** In the analysis, or beside it by a name of its own. */
  const take = <T>(partNames: readonly string[], ownNames: readonly string[], read: ReadValue<T>) =>
    parts?.take(partNames, read) ?? fields.take(ownNames, read)
  const analysis = {
    riskLevel: open(parts?.take(['risklevel', 'risk', 'severity'], readText)),
    summary: open(take(['summary', 'overview'], ['aisummary', 'analysissummary'], readText)),
    impact: open(take(['impact'], IMPACT_NAMES, readText)),
    recommendations: redaction.texts(
      'analysis',
      take(['recommendations', 'recommendation'], RECOMMENDATION_NAMES, readNames),
    ),
    text: open(fields.take(names, readText)),
  }
  const { recommendations, ...texts } = analysis
  if (recommendations.length === 0 && Object.values(texts).every((text) => text === null)) return null
  // Nobody reads the same paragraph twice.
  return { ...analysis, text: texts.text === texts.summary ? null : texts.text }
}

function readEvidence(value: unknown): ThreatRecord['evidence'] | null {
  const items = listOf(value).flatMap((item) => {
    const fields = Fields.of(item)
    const url = fields ? fields.take(['url', 'href', 'src', 'link', 'image'], readText) : readText(item)
    return url === null ? [] : [{ type: fields?.take(['type', 'kind', 'label'], readText) ?? null, url }]
  })
  return items.length > 0 ? items.slice(0, EVIDENCE_MAX_COUNT) : null
}
