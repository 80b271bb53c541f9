import { FIELD_NAMES, type FieldName } from '#matcher/query/query-tree.ts'

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
  id: 'the source’s id',
  profile: 'an alert profile’s name: what it matches',
  list: 'a list’s name or kind, or * for any: what its entries match',
  entry: 'the name of an entry of a list, or a word of it',
  match: 'certain, to-confirm',
  after: 'from a day on: yesterday, 7d, 2026-11-22',
  before: 'until the day before',
  on: 'a day, a month, or days with .. between',
  is: 'starred, read, unread, dismissed, open',
  has: 'note of the team’s; analysis or evidence, where lists say it',
}

export const FIELD_NOTES: ReadonlyMap<FieldName, string> = new Map(
  FIELD_NAMES.map((name) => [name, NOTES[name]]),
)
