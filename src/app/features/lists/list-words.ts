import { count, countOf } from '#app/format/count.ts'
import { isOfDomain, RULE_WORDS } from '#contract/bff/describe-concern.ts'
import type { ListEntry, NameList } from '#contract/bff/list.ts'
import type { EntriesAdded } from '#contract/bff/list-draft.ts'
import type { ListKind, ListMatch } from '#contract/bff/list-match.ts'
import { defang } from '#contract/defang.ts'

export const KIND_LABELS: Readonly<Record<ListKind, string>> = {
  own: 'Own brands and domains',
  supplier: 'Suppliers',
  customer: 'Customers',
  peer: 'Peers',
  other: 'Other',
}

const NOUNS: Readonly<Record<ListKind, string>> = {
  own: 'own names',
  supplier: 'suppliers',
  customer: 'customers',
  peer: 'peers',
  other: 'names',
}

/** `7 of your suppliers were listed in the last 12 months: 5 certain, 2 to confirm.` */
export function matchedWords({ kind, matched: { certain, toConfirm } }: NameList): string {
  const whole = certain + toConfirm
  if (whole === 0) return `None of your ${NOUNS[kind]} was listed in the last 12 months.`
  const verb = whole === 1 ? 'was' : 'were'
  return `${count(whole)} of your ${NOUNS[kind]} ${verb} listed in the last 12 months: ${count(certain)} certain, ${count(toConfirm)} to confirm.`
}

/** `Listed in 3 stored threats: 1 certain, 2 to confirm.` */
export function entryStateWords({ matched: { certain, toConfirm }, isMatching }: ListEntry): string {
  if (isMatching) return 'Comparing with all stored threats…'
  const whole = certain + toConfirm
  if (whole === 0) return 'Never listed in what is stored.'
  if (certain === 0) return `To confirm: ${countOf(whole, 'stored threat')} may be about it.`
  return `Listed in ${countOf(whole, 'stored threat')}: ${count(certain)} certain, ${count(toConfirm)} to confirm.`
}

/** `12 added, 3 were in the list.` */
export function addedWords({ added, known }: EntriesAdded): string {
  if (known === 0) return `${countOf(added, 'entry', 'entries')} added.`
  return `${count(added)} added, ${count(known)} ${known === 1 ? 'was' : 'were'} in the list.`
}

/** The reason of a match, and the words of the threat that it rests on, which are third-party text. */
export function reasonWords({ rule, text }: ListMatch): { reason: string; text: string } {
  const words = RULE_WORDS[rule]
  return {
    reason: words.charAt(0).toUpperCase() + words.slice(1),
    text: isOfDomain(rule) ? defang(text) : text,
  }
}
