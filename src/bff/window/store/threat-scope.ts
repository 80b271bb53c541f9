import { wantedTerms } from '#bff/window/index/threat-terms.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import type { TriageFilter } from '#contract/bff/triage-filter.ts'
import type { Question } from '#matcher/question.ts'

export type TimeBounds = { start: number | null; end: number | null }

/** Conditions of SQL with the parameters that they name. */
export type Scope = { where: string; values: unknown[] }

const marked = (condition: string) =>
  `exists (select from triage_state where threat_id = window_threat.id and ${condition})`

const TRIAGE_CONDITIONS: Readonly<Record<TriageFilter, string>> = {
  open: `not ${marked('dismissed_at is not null')}`,
  unread: `not ${marked('(dismissed_at is not null or read_at is not null)')}`,
  starred: marked('starred_at is not null'),
  dismissed: marked('dismissed_at is not null'),
}

/** What SQL must hold of a record for a filter to match it: any value of a name, all names. */
export function scopeOf(filter: ThreatFilter, bounds: TimeBounds, question: Question): Scope {
  const values: unknown[] = []
  const conditions: string[] = []
  const add = (condition: (parameter: string) => string, value: unknown) => {
    values.push(value)
    conditions.push(condition(`$${values.length}`))
  }

  if (bounds.start !== null) add((from) => `sorted_at >= ${from}::timestamptz`, new Date(bounds.start))
  if (bounds.end !== null) add((end) => `sorted_at < ${end}::timestamptz`, new Date(bounds.end))
  for (const terms of wantedTerms(filter).values()) {
    // One value is an intersection inside the index; several are a union.
    if (terms.length === 1) add((term) => `terms @> ${term}::text[]`, terms)
    else add((any) => `terms && ${any}::text[]`, terms)
  }
  const tokens = new Set(question.keywords.flatMap(({ tokens }) => tokens))
  if (tokens.size > 0) add((all) => `window_tokens(searched_text) @> ${all}::text[]`, [...tokens])
  for (const { tokens, normalised } of question.keywords) {
    if (tokens.length > 1) add((phrase) => `strpos(searched_text, ${phrase}) > 0`, normalised)
  }
  if (filter.triage) conditions.push(TRIAGE_CONDITIONS[filter.triage])
  return { where: conditions.length > 0 ? conditions.join(' and ') : 'true', values }
}
