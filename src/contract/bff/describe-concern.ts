import { defang, defangProse } from '../defang.ts'
import { visibleLine } from '../visible-text.ts'
import type { Certainty, ListKind, MatchRule } from './list-match.ts'

/** The words of an organisation that is followed for this reason. */
export const KIND_WORDS: Readonly<Record<ListKind, string>> = {
  own: 'Own brand',
  supplier: 'Supplier',
  customer: 'Customer',
  peer: 'Peer',
  other: 'Listed',
}

const CERTAINTY_WORDS: Readonly<Record<Certainty, string>> = {
  certain: 'certain',
  'to-confirm': 'to confirm',
}

/** The words for the rule of a match. */
export const RULE_WORDS: Readonly<Record<MatchRule, string>> = {
  domain: 'same domain',
  name: 'same name',
  'name-in-text': 'name in the text',
  abbreviation: 'abbreviation of the name',
  similar: 'similar name',
  'brand-in-domain': 'name within a domain',
  'shared-name': 'several organisations have this name',
}
const TEXT_MAX_LENGTH = 120

type Reason = { rule: MatchRule; text: string; listName: string }

/** Returns true for the rules by which a threat's domain matches, which is shown defanged. */
export function isOfDomain(rule: MatchRule): boolean {
  return rule === 'domain' || rule === 'brand-in-domain'
}

/** Why an entry matches a threat: inert and in one line, for places that show text alone. */
export function describeReason({ rule, text, listName }: Reason): string {
  const isDomain = isOfDomain(rule)
  const inert = isDomain ? defang(text) : defangProse(text)
  const words = visibleLine(inert).slice(0, TEXT_MAX_LENGTH)
  return `${RULE_WORDS[rule]} ${isDomain ? words : `“${words}”`}, list ${visibleLine(listName)}`
}

/** `Supplier: Okapi Ltd (certain: same domain okapi[.]example, list Suppliers)`, inert and in one line. */
export function describeConcern({
  kind,
  entryName,
  certainty,
  ...reason
}: Reason & { kind: ListKind; entryName: string; certainty: Certainty }): string {
  const name = defangProse(visibleLine(entryName))
  return `${KIND_WORDS[kind]}: ${name} (${CERTAINTY_WORDS[certainty]}: ${describeReason(reason)})`
}
