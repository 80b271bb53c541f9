import { countryName } from '#app/format/country-name.ts'
import type { FacetName } from '#contract/bff/threat-list.ts'
import { findCountryCode } from '#contract/country.ts'
import { completeAt } from '#matcher/query/complete-query.ts'
import { chipsOf, type QueryChip, removeChip, setField } from '#matcher/query/edit-query.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { FIELD_NAMES, type FieldName } from '#matcher/query/query-tree.ts'

/**
 * Text and filters are two views of one question, and each value has one place. What is written in the search stays in
 * it: its parts are chips beside those of the address's filters, and a filter whose field the search names ticks and
 * unticks the values there. A filter that it does not name is written into the address, as `country=DE`. What a search
 * says in another way than by values that must hold (`-country:DE`, `severity:>=high`) is a chip, and no tick.
 */
type QueryPart = { label: string; value: string; without: string }

export function isFaulty(text: string): boolean {
  return parseQuery(text).faults.length > 0
}

/** Long enough to find the next letter, or to read what is offered. */
const HALF_TYPED_REST_MS = 1_500
const CHOOSING_REST_MS = 60_000

type Typing = {
  /** Position of the caret. */
  place: number
  /** A chosen value is complete. */
  isChosen: boolean
  /** True if values are offered. */
  isOpen: boolean
}

/** How long a text that is being typed has to rest before it is searched for, where it may not be whole; null elsewhere. */
export function restMsOf(text: string, { place, isChosen, isOpen }: Typing): number | null {
  if (!isFaulty(text)) return isBegun(text, place) && !isChosen ? HALF_TYPED_REST_MS : null
  // Whoever chooses among values, or waits for them, has not come to the end of the text.
  return isOpen || /[:,]$/.test(text.slice(0, place)) ? CHOOSING_REST_MS : HALF_TYPED_REST_MS
}

/** Returns true if the caret is in a field's value that may be incomplete. A known value is complete. */
function isBegun(text: string, place: number): boolean {
  const completion = completeAt(text, place)
  if (completion?.kind !== 'value') return false
  const { name, text: value, offers } = completion
  return !offers.includes(value) && !(name === 'country' && findCountryCode(value))
}

/** Returns the parts that must all match, each with the text without it; null if the text has a fault. */
export function splitQuery(text: string): QueryPart[] | null {
  if (isFaulty(text)) return null
  return chipsOf(text).map((chip, at) => ({ ...describe(chip), without: removeChip(text, at) }))
}

function describe(chip: QueryChip): { label: string; value: string } {
  if (chip.kind === 'raw') return { label: 'Search', value: chip.text }
  const { name, values, isNegated } = chip
  const label = isNegated ? `Not ${name}` : name.charAt(0).toUpperCase() + name.slice(1)
  return { label, value: values.map((value) => nameOf(name, value)).join(', ') }
}

function nameOf(name: FieldName, value: string): string {
  const code = name === 'country' ? findCountryCode(value) : null
  return code === null ? value : countryName(code)
}

/** The values of a field that the text names; null where it names none. Only `plain` ones can be ticked. */
export function valuesIn(text: string, name: FacetName): { plain: string[]; written: string[] } | null {
  if (isFaulty(text)) return null
  const chips = chipsOf(text).filter((chip) => chip.kind === 'field' && chip.name === name && !chip.isNegated)
  const written = chips.flatMap((chip) => (chip.kind === 'field' ? chip.values : []))
  const plain = written.filter((value) => !/^[<>]|\*$/.test(value))
  const read = (value: string) => (name === 'country' && findCountryCode(value)) || value
  return written.length > 0 ? { plain: plain.map(read), written } : null
}

/** The text with other values in a field that it names. */
export function changeValues(
  text: string,
  name: FacetName,
  change: (before: readonly string[]) => readonly string[],
): string {
  return setField(text, name, change(valuesIn(text, name)?.plain ?? []))
}

/** Describes each field in one line. */
const NOTES: Readonly<Record<FieldName, string>> = {
  actor: 'an actor’s name, or a word of it',
  victim: 'an organisation’s name, or a word of it',
  country: 'codes or names: DE,austria',
  category: 'ransomware, "data breach"',
  severity: 'high, or >=high for what is worse, too',
  industry: 'the victim’s sector',
  domain: 'a domain and all below it',
  source: 'a host where it was seen, and all below it, where lists say it',
  id: 'the vendor’s id',
  profile: 'an alert profile’s name: what it matches',
  list: 'a list’s name, id or kind, or * for any: what its entries match',
  entry: 'the name of an entry of a list, or a word of it',
  match: 'certain, to-confirm',
  after: 'from a day on: yesterday, 7d, 2026-11-22',
  before: 'until the day before',
  on: 'a day, a month, or days with .. between',
  is: 'open, new, investigating, closed, mine, overdue, unread, read, starred',
  owner: 'me, nobody, inactive, or a name: who of the team deals with it',
  has: 'comment of the team’s; analysis or evidence, where lists say it',
}

export const FIELD_NOTES: ReadonlyMap<FieldName, string> = new Map(
  FIELD_NAMES.map((name) => [name, NOTES[name]]),
)
