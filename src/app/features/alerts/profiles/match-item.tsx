import { Link } from '@tanstack/react-router'
import { ConcernBadge } from '#app/features/concerns/concern-badge.tsx'
import { clipText } from '#app/format/clip-text.ts'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { ThreatAge } from '#app/ui/threat-date.tsx'
import { ThreatTitle } from '#app/ui/threat-title.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Concern } from '#contract/bff/list-match.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { TextRange } from '#contract/visible-text.ts'
import { findMatches } from '#matcher/find-matches.ts'
import { type Keyword, parseKeyword } from '#matcher/keyword.ts'
import { QuotedKeywords } from './quoted-keywords.tsx'

type MatchItemProps = { threat: Threat & { concerns?: Concern[] | undefined }; keywords: readonly string[] }

const TITLE_MAX_LENGTH = 200
/** Fields in which what looks like a domain is one: an actor's name may look so, too. */
const PROSE = new Set(['Excerpt', 'Domain', 'Victim'])

/** A record that keywords match, with the words that did it marked. */
export function MatchItem({ threat, keywords }: MatchItemProps) {
  const { title, passages, elsewhere } = findEvidence(threat, keywords)
  return (
    <li className="grid gap-1 px-4 py-2.5 [contain-intrinsic-size:auto_4rem] [content-visibility:auto]">
      <div className="flex items-baseline justify-between gap-3">
        <Link
          to="/threats/$id"
          params={{ id: threat.id }}
          className="touch min-w-0 rounded-sm font-medium text-sm hover:underline"
        >
          <ThreatTitle threat={threat} highlights={title} maxLength={TITLE_MAX_LENGTH} />
        </Link>
        <span className="shrink-0 text-muted text-xs">
          <ThreatAge threat={threat} />
        </span>
      </div>
      {passages.map(({ field, text, ranges }) => (
        <p key={`${field} ${text}`} className="text-muted text-xs">
          {field !== 'Excerpt' && <span className="text-faint">{field}: </span>}
          <Untrusted text={text} highlights={ranges} clip="silent" isProse={PROSE.has(field)} />
        </p>
      ))}
      {elsewhere.length > 0 && (
        <p className="text-faint text-xs">
          <QuotedKeywords keywords={elsewhere} /> {elsewhere.length === 1 ? 'stands' : 'stand'} in a part that
          the threat’s own page shows.
        </p>
      )}
      <p className="flex flex-wrap items-center gap-x-3 text-faint text-xs">
        <SeverityMark severity={threat.severity} />
        <ConcernBadge concerns={threat.concerns} />
        {threat.category !== null && <Untrusted text={threat.category} clip="silent" maxLength={60} />}
      </p>
    </li>
  )
}

/** A piece of a record's text with the stretches that keywords match. */
type Passage = { field: string; text: string; ranges: TextRange[] }

type Evidence = {
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
