import type { Severity } from '#contract/severity.ts'

const SEVERITY_BY_CATEGORY: ReadonlyMap<string, Severity> = new Map([
  ['ransomware', 'high'],
  ['data breach', 'high'],
  ['initial access', 'medium'],
  ['ddos', 'low'],
  ['defacement', 'low'],
])

const RAISED: Readonly<Record<Severity, Severity>> = {
  low: 'medium',
  medium: 'high',
  high: 'critical',
  critical: 'critical',
}

// Sectors whose failure endangers people: the word that sector vocabularies share.
const VITAL_SECTOR =
  /health|hospital|energy|utilit|water|transport|defen[cs]e|military|government|public sector|critical/i

/**
 * The severity of a record whose source states none: what the category usually costs its victim, one step more where
 * the sector is a vital one. A rule of thumb, and the only one: no other place guesses a severity.
 */
export function ruleSeverity(category: string, sectors: readonly string[]): Severity {
  const severity = SEVERITY_BY_CATEGORY.get(category.toLowerCase()) ?? 'low'
  return sectors.some((sector) => VITAL_SECTOR.test(sector)) ? RAISED[severity] : severity
}
