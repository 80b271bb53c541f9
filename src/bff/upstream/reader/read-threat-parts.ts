import type { Analysis } from '#contract/bff/threat.ts'
import { foldNames } from './field-names.ts'
import { Fields } from './fields.ts'
import { THREAT_NAMES } from './read-threat.ts'
import { listOf, type ReadValue, readName, readText } from './read-value.ts'
import type { Redaction } from './redaction.ts'
import usualNames from './usual-names.json' with { type: 'json' }

const ANALYSIS_NAMES = foldNames(usualNames.analysis)
const BESIDE_NAMES = foldNames(usualNames.besideAnalysis)
const STEP_NAMES = foldNames(usualNames.step)
const EVIDENCE_NAMES = foldNames(usualNames.evidence)
const ADDRESS = /^\s*(?:[a-z][a-z0-9+.-]*:\/\/|[\w-]+(?:\.[\w-]+)+(?:[/:?#]|\s*$))\S*\s*$/i
const EVIDENCE_MAX_COUNT = 100

/** Only a threat's own record is sure to hold these parts. */
export type ThreatParts = {
  sourceUrl: string | null
  analysis: Analysis | null
  evidence: { type: string | null; url: string }[]
}

export function readThreatParts(fields: Fields, redaction: Redaction): ThreatParts {
  return {
    sourceUrl: redaction.text('sourceUrl', readSource(fields)),
    analysis: readAnalysis(fields, THREAT_NAMES.analysis, redaction),
    evidence: (fields.take(THREAT_NAMES.evidence, readEvidence) ?? []).filter(
      ({ url }) => redaction.text('evidence', url) !== null,
    ),
  }
}

/** Reads where the threat was found: the first of several addresses. Others stay among the other fields. */
function readSource(fields: Fields): string | null {
  return (
    fields.take(THREAT_NAMES.sourceUrl, readText) ??
    fields.take(THREAT_NAMES.sources, (value) => {
      const [only, ...others] = listOf(value)
      return others.length === 0 ? readAddress(only) : null
    }) ??
    fields.peek(
      THREAT_NAMES.sources,
      (value) =>
        listOf(value)
          .map(readAddressIn)
          .find((found) => found !== null) ?? null,
    )
  )
}

function readAddress(value: unknown): string | null {
  return typeof value === 'string' && ADDRESS.test(value) ? readText(value) : null
}

function readAddressIn(value: unknown): string | null {
  return Fields.of(value)?.take(EVIDENCE_NAMES.url, readAddress) ?? readAddress(value)
}

function readSteps(value: unknown): string[] | null {
  const steps = listOf(value).map(
    (item) => Fields.of(item)?.take(STEP_NAMES.text, readText) ?? readName(item),
  )
  const distinct = new Set(steps.filter((step) => step !== null))
  return distinct.size > 0 ? [...distinct] : null
}

/** Either set's analysis: an object, a running text, or one of each. */
function readAnalysis(fields: Fields, names: readonly string[], redaction: Redaction): Analysis | null {
  const open = (text: string | null | undefined) => redaction.text('analysis', text ?? null)
  const parts = fields.open(names)
  /** The field is in the analysis, or next to it under a name of its own. */
  const take = <T>(member: keyof typeof BESIDE_NAMES, read: ReadValue<T>) =>
    parts?.take(ANALYSIS_NAMES[member], read) ?? fields.take(BESIDE_NAMES[member], read)
  const analysis = {
    riskLevel: open(parts?.take(ANALYSIS_NAMES.riskLevel, readText)),
    summary: open(take('summary', readText)),
    impact: open(take('impact', readText)),
    recommendations: redaction.texts('analysis', take('recommendations', readSteps)),
    text: open(fields.take(names, readText)),
  }
  const { recommendations, ...texts } = analysis
  if (recommendations.length === 0 && Object.values(texts).every((text) => text === null)) return null
  // Nobody reads the same paragraph twice.
  return { ...analysis, text: texts.text === texts.summary ? null : texts.text }
}

function readEvidence(value: unknown): ThreatParts['evidence'] | null {
  const items = listOf(value).flatMap((item) => {
    const fields = Fields.of(item)
    const url = fields ? fields.take(EVIDENCE_NAMES.url, readText) : readText(item)
    return url === null ? [] : [{ type: fields?.take(EVIDENCE_NAMES.type, readText) ?? null, url }]
  })
  return items.length > 0 ? items.slice(0, EVIDENCE_MAX_COUNT) : null
}
