import { CERTAINTIES, LEVELS, PARTS, TEAM_STATES } from './check-field.ts'
import { lexQuery } from './lex-query.ts'
import { FIELD_NAMES, FIELD_SYNONYMS, type FieldName, type Span } from './query-tree.ts'

/** The text being typed, the range that a completion replaces, and the values that fit. */
export type Completion = Span & { text: string; offers: readonly string[] } & (
    | { kind: 'name' }
    /** `others` are the field's values beside this one. */
    | { kind: 'value'; name: FieldName; others: readonly string[] }
  )

const OFFERS: Partial<Record<FieldName, readonly string[]>> = {
  severity: LEVELS.toReversed(),
  is: TEAM_STATES,
  owner: ['me', 'nobody', 'inactive'],
  has: PARTS,
  match: CERTAINTIES,
  after: ['today', 'yesterday', '7d', '30d'],
  before: ['today', 'yesterday', '7d', '30d'],
  on: ['today', 'yesterday'],
}

/** Returns the completion at a cursor position; null within a phrase. It offers no values that only records know. */
export function completeAt(text: string, offset: number): Completion | null {
  const token = lexQuery(text).find(({ from, to }) => from < offset && offset <= to)
  if (token?.kind === 'phrase') return null
  if (token?.kind !== 'field') {
    const isWord = token?.kind === 'word'
    const [from, to] = isWord ? [token.from, token.to] : [offset, offset]
    const typed = text.slice(from, offset)
    const begins = (name: string) => name.startsWith(typed.toLowerCase())
    const meant = [...FIELD_SYNONYMS].flatMap(([synonym, name]) =>
      typed !== '' && begins(synonym) ? [name] : [],
    )
    const offers = [...new Set([...FIELD_NAMES.filter(begins), ...meant])].map((name) => `${name}:`)
    return { kind: 'name', from, to, text: typed, offers }
  }
  const { name, values, gaps } = token
  const value = values.find(({ from, to }) => from <= offset && offset <= to)
  const gap = gaps.find(({ from }) => from === offset)
  const place = value ?? gap
  if (!place)
    return { kind: 'name', from: token.from, to: offset, text: text.slice(token.from, offset), offers: [] }
  const from = place.from + (value?.comparison?.length ?? 0)
  const typed = text.slice(from, offset).replace(/^["“”„‟«»＂]/, '')
  const offers = (OFFERS[name] ?? []).filter((offer) => offer.startsWith(typed.toLowerCase()))
  const others = values.flatMap((each) => (each === value ? [] : [each.text]))
  return { kind: 'value', name, others, from, to: place.to, text: typed, offers }
}
