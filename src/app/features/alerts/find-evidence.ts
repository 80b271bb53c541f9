import { clipText } from '#app/format/clip-text.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { TextRange } from '#contract/visible-text.ts'
import { findMatches } from '#matcher/find-matches.ts'
import { type Keyword, parseKeyword } from '#matcher/keyword.ts'

/** A piece of a record's text with the stretches that keywords match. */
export type Passage = { field: string; text: string; ranges: TextRange[] }

export type Evidence = {
  title: TextRange[]
  /** Other passages with keywords, at most one for each keyword. */
  passages: Passage[]
  /** Keywords that stand in none of the texts at hand: the record has more than a list shows. */
  elsewhere: string[]
}

const BEFORE_LENGTH = 60
const PASSAGE_LENGTH = 220

/** Shows why a record matches: every keyword once, the title first. */
export function findEvidence(threat: Threat, keywords: readonly string[]): Evidence {
  const parsed = keywords.flatMap((text) => parseKeyword(text) ?? [])
  const title = rangesOf(parsed, threat.title ?? '')
  const evidence: Evidence = { title, passages: [], elsewhere: [] }
  let wanted = parsed.filter((keyword) => findMatches(keyword, threat.title ?? '').length === 0)

  for (const { field, text } of textsOf(threat)) {
    const found = wanted.filter((keyword) => findMatches(keyword, text).length > 0)
    if (found.length === 0) continue
    evidence.passages.push(passageOf(field, text, rangesOf(parsed, text)))
    wanted = wanted.filter((keyword) => !found.includes(keyword))
  }
  evidence.elsewhere = wanted.map(({ text }) => text)
  return evidence
}

function textsOf(threat: Threat): { field: string; text: string }[] {
  const { excerpt, organizations, domains, actors, industries, countries } = threat
  const lists: [string, readonly string[]][] = [
    ['Excerpt', excerpt === null ? [] : [excerpt]],
    ['Victim', organizations],
    ['Domain', domains],
    ['Actor', actors],
    ['Industry', industries],
    ['Country', countries.map(({ name }) => name)],
  ]
  return lists.flatMap(([field, texts]) => texts.map((text) => ({ field, text })))
}

function rangesOf(keywords: readonly Keyword[], text: string): TextRange[] {
  return keywords.flatMap((keyword) => findMatches(keyword, text))
}

/** Begins a little before the first match, so that it is in sight. */
function passageOf(field: string, text: string, ranges: TextRange[]): Passage {
  const first = Math.min(...ranges.map(({ start }) => start))
  const start = first <= BEFORE_LENGTH ? 0 : wordStart(text, first - BEFORE_LENGTH, first)
  const shown = clipText(text.slice(start), PASSAGE_LENGTH)
  const end = start + shown.length
  const before = start > 0 ? '…' : ''
  const after = end < text.length ? '…' : ''
  return {
    field,
    text: `${before}${shown}${after}`,
    ranges: ranges
      .filter((range) => range.start >= start && range.end <= end)
      .map((range) => ({
        start: range.start - start + before.length,
        end: range.end - start + before.length,
      })),
  }
}

/** The first start of a word at or after a position; the limit where there is none. */
function wordStart(text: string, from: number, limit: number): number {
  const space = text.slice(from, limit).search(/\s\S/)
  return space === -1 ? limit : from + space + 1
}
