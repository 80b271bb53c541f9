import type { Analysis, Threat } from '#contract/bff/threat.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { Fields } from './fields.ts'
import { boundFields, type OtherField } from './other-fields.ts'
import { readThreat } from './read-threat.ts'
import { listOf, readNames, readText } from './read-value.ts'
import { Redaction } from './redaction.ts'

const ENVELOPE_NAMES = ['data', 'threat', 'record', 'result']
const ANALYSIS_NAMES = ['aianalysis', 'analysis']
const EVIDENCE_MAX_COUNT = 100
const JSON_MAX_LENGTH = 1024 * 1024

/** One threat as one route set tells it. */
export type ThreatRecord = Threat & {
  content: string | null
  sourceUrl: string | null
  analysis: Analysis | null
  evidence: { type: string | null; url: string }[]
  otherFields: OtherField[]
  /** As it came; cut where it is larger than anybody reads. */
  json: string
}

/** Reads the answer to a question for one threat; null when it holds no record with that id. */
export function readThreatRecord(set: RouteSet, id: string, body: unknown): ThreatRecord | null {
  const envelope = Fields.of(body)
  const record = envelope?.take(ENVELOPE_NAMES, readObject) ?? body
  const fields = Fields.of(record)
  const redaction = new Redaction()
  const threat = fields && readThreat(set, fields, redaction)
  if (!fields || threat?.id !== id) return null

  const parts = {
    content: redaction.text('content', fields.take(['content', 'body', 'fulltext', 'text'], readText)),
    sourceUrl: redaction.text('sourceUrl', fields.take(['sourceurl', 'sourcelink', 'url', 'link'], readText)),
    analysis: readAnalysis(fields, redaction),
    evidence: (fields.take(['evidence', 'screenshots', 'images', 'attachments'], readEvidence) ?? []).filter(
      ({ url }) => redaction.text('evidence', url) !== null,
    ),
  }
  return {
    ...threat,
    ...parts,
    redacted: redaction.fields,
    otherFields: boundFields(fields.rest()),
    json: JSON.stringify(record).slice(0, JSON_MAX_LENGTH).toWellFormed(),
  }
}

/** Either set's analysis: an object, a running text, or one of each. */
function readAnalysis(fields: Fields, redaction: Redaction): Analysis | null {
  const open = (text: string | null | undefined) => redaction.text('analysis', text ?? null)
  const parts = fields.open(ANALYSIS_NAMES)
  const analysis = {
    riskLevel: open(parts?.take(['risklevel', 'risk', 'severity'], readText)),
    summary: open(parts?.take(['summary', 'overview'], readText)),
    impact: open(parts?.take(['impact'], readText)),
    recommendations: redaction.texts(
      'analysis',
      parts?.take(['recommendations', 'recommendation'], readNames) ?? null,
    ),
    text: open(fields.take(ANALYSIS_NAMES, readText)),
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

function readObject(value: unknown): object | null {
  return typeof value === 'object' && !Array.isArray(value) ? value : null
}
