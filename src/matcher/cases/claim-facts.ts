import type { Threat } from '#contract/bff/threat.ts'
import { normaliseText } from '../normalise-text.ts'
import { isOneActor } from './compare-claims.ts'

/** Facts of a case that somebody who knows the case should hear of, the most urgent first. */
export const CLAIM_FACT_KINDS = ['critical', 'actor', 'deadline-passed', 'deadline', 'published'] as const
/** `text`: the actor or the deadline as the vendor writes it, untrusted; empty for other kinds. */
export type ClaimFact = { kind: (typeof CLAIM_FACT_KINDS)[number]; text: string }

type StatedThreat = Pick<Threat, 'title' | 'excerpt' | 'severity' | 'actors'>

const TEXT_MAX_LENGTH = 100
const FACTS_MAX_COUNT = 20

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?'
const DATE = [
  '\\d{4}-\\d{1,2}-\\d{1,2}',
  '\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}',
  `\\d{1,2}(?:st|nd|rd|th)?\\s{1,2}${MONTH}(?:,?\\s{1,2}\\d{4})?`,
  `${MONTH}\\s{1,2}\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s{1,2}\\d{4})?`,
].join('|')
const DEADLINE = new RegExp(`\\bdeadline\\b[^.\\d\\n]{0,24}?\\b(${DATE})`, 'iu')
const DEADLINE_PASSED =
  /\bdeadline (?:has |was |is )?(?:passed|expired|over|missed)\b|\bpassed (?:its|the|their) deadline\b|\btimer (?:has )?(?:expired|ran out)\b|\btime (?:is|ran|has run) (?:up|out)\b/iu
const DATA = '(?:data|database|files?|archives?|documents?|dump|leak|proofs?|part\\s?\\d+)'
const PUBLISHED = new RegExp(
  `\\b(?:full|free)\\s(?:data\\s)?(?:leak|dump|download)\\b|(?<!\\bno\\s)\\b${DATA}\\s{1,3}(?:(?:is|are|was|were|has been|have been|now|all|part\\s?\\d{1,3})\\s){0,3}(?:published|leaked|released)\\b`,
  'iu',
)

/** Reads the facts of a claim from its fields, and from the words of its title and excerpt. The same text has the same facts. */
export function readClaimFacts({ title, excerpt, severity, actors }: StatedThreat): ClaimFact[] {
  const text = `${title ?? ''}\n${excerpt ?? ''}`
  const deadline = DEADLINE.exec(text)?.[1]
  const facts: (ClaimFact | false)[] = [
    severity?.toLowerCase() === 'critical' && { kind: 'critical', text: '' },
    DEADLINE_PASSED.test(text) && { kind: 'deadline-passed', text: '' },
    deadline !== undefined && { kind: 'deadline', text: deadline },
    PUBLISHED.test(text) && { kind: 'published', text: '' },
    ...actors.map((actor): ClaimFact => ({ kind: 'actor', text: actor.slice(0, TEXT_MAX_LENGTH) })),
  ]
  return facts.filter((fact) => fact !== false).slice(0, FACTS_MAX_COUNT)
}

/** The facts of a claim that are not among those that are known of its case. */
export function findNewFacts(facts: readonly ClaimFact[], known: readonly ClaimFact[]): ClaimFact[] {
  return facts.filter((fact) => !known.some((one) => isSameFact(one, fact)))
}

function isSameFact(one: ClaimFact, other: ClaimFact): boolean {
  if (one.kind !== other.kind) return false
  return one.kind === 'actor'
    ? isOneActor(one.text, other.text)
    : normaliseText(one.text) === normaliseText(other.text)
}

/** Says in a few words what is new in a case, the most urgent first; the names in them are untrusted. */
export function describeNews(news: readonly ClaimFact[]): string {
  const ofKind = (kind: ClaimFact['kind']) => news.filter((fact) => fact.kind === kind)
  const words: Readonly<Record<ClaimFact['kind'], string>> = {
    critical: 'now critical',
    actor: `also claimed by ${ofKind('actor')
      .map(({ text }) => text)
      .join(', ')}`,
    'deadline-passed': 'deadline passed',
    deadline: `deadline ${ofKind('deadline')[0]?.text}`,
    published: 'data published',
  }
  return CLAIM_FACT_KINDS.flatMap((kind) => (ofKind(kind).length === 0 ? [] : words[kind])).join(', ')
}
