/** Names that stand before a colon. */
export const FIELD_NAMES = [
  'actor',
  'victim',
  'country',
  'category',
  'severity',
  'industry',
  'domain',
  'source',
  'id',
  'profile',
  'list',
  'entry',
  'match',
  'after',
  'before',
  'on',
  'is',
  'owner',
  'has',
] as const
export type FieldName = (typeof FIELD_NAMES)[number]

/** Values of a record that are looked for by what stands in them. `place` is a country as the vendor writes it. */
export type ValueName =
  | 'actor'
  | 'victim'
  | 'category'
  | 'severity'
  | 'industry'
  | 'domain'
  | 'place'
  | 'source'

type FieldValues = {
  /** `words` need a letter or a digit, a `name` may be without. A sign before either is a fault: it would be dropped. */
  kind: 'words' | 'name' | 'other'
  /** The value that `*` finds, if the record has any; null where `*` is checked and tested by the field itself. */
  any: ValueName | null
}

export const FIELD_VALUES: Readonly<Record<FieldName, FieldValues>> = {
  actor: { kind: 'name', any: 'actor' },
  victim: { kind: 'words', any: 'victim' },
  country: { kind: 'words', any: 'place' },
  category: { kind: 'name', any: 'category' },
  severity: { kind: 'other', any: 'severity' },
  industry: { kind: 'name', any: 'industry' },
  domain: { kind: 'words', any: 'domain' },
  source: { kind: 'words', any: 'source' },
  id: { kind: 'other', any: null },
  profile: { kind: 'other', any: null },
  list: { kind: 'other', any: null },
  entry: { kind: 'other', any: null },
  match: { kind: 'other', any: null },
  after: { kind: 'other', any: null },
  before: { kind: 'other', any: null },
  on: { kind: 'other', any: null },
  is: { kind: 'other', any: null },
  owner: { kind: 'other', any: null },
  has: { kind: 'other', any: null },
}

/** Names that other tools have for a field: they are read as it. */
export const FIELD_SYNONYMS: ReadonlyMap<string, FieldName> = new Map([
  ['group', 'actor'],
  ['sector', 'industry'],
  ['tag', 'category'],
  ['level', 'severity'],
  ['since', 'after'],
  ['date', 'on'],
  ['status', 'is'],
])

/** The field that a name stands for, in any letter case. */
export function findFieldName(text: string): FieldName | null {
  const name = text.toLowerCase()
  return FIELD_NAMES.find((each) => each === name) ?? FIELD_SYNONYMS.get(name) ?? null
}

/** Returns true if a field's value matches any value: `actor:*`. */
export function isAnyValue({ text, isQuoted, comparison }: QueryValue): boolean {
  return text === '*' && !isQuoted && comparison === null
}

/** Offsets into the text: from the first character on, before the last one's end. */
export type Span = { from: number; to: number }

/** A word, a phrase, or a field's value, without its quotation marks and its star. */
type Written = Span & {
  text: string
  isQuoted: boolean
  /** Its last word goes on: `bank*`. */
  isPrefix: boolean
}

export const COMPARISONS = ['>=', '<=', '>', '<'] as const
export type Comparison = (typeof COMPARISONS)[number]
export type QueryValue = Written & { comparison: Comparison | null }
export type WordNode = Written & { kind: 'word' }
/** Any of its values. */
export type FieldNode = Span & { kind: 'field'; name: FieldName; values: readonly QueryValue[] }
export type JointNode = Span & { kind: 'and' | 'or'; parts: readonly QueryNode[] }
export type NotNode = Span & { kind: 'not'; part: QueryNode }
export type QueryNode = WordNode | FieldNode | JointNode | NotNode

/** Something of the text that stands in the way of an answer, or that a reader should know; `fix` takes its place. */
export type QueryFault = Span & { message: string; fix?: string }
export type QueryHint = QueryFault & {
  /**
   * `operator`: a word that joins others. `word`: one that could have. `value`: near a known one. `unused`: neither a letter
   * nor a digit. `sign`: one of another language. `shared`: a name that several countries have.
   */
  kind: 'operator' | 'word' | 'name' | 'value' | 'unused' | 'open' | 'sign' | 'shared'
  /** Each can take the place of what was written. */
  choices?: readonly string[]
}

export type ParsedQuery = {
  /** Null where there is nothing to search for. */
  tree: QueryNode | null
  faults: readonly QueryFault[]
  hints: readonly QueryHint[]
}

/** Returns the parts that must all match. */
export function conjunctsOf(tree: QueryNode | null): readonly QueryNode[] {
  if (tree === null) return []
  return tree.kind === 'and' ? tree.parts.flatMap(conjunctsOf) : [tree]
}

/** Every word and field. */
export function leavesOf(tree: QueryNode | null): readonly (WordNode | FieldNode)[] {
  if (tree === null) return []
  if (tree.kind === 'not') return leavesOf(tree.part)
  return 'parts' in tree ? tree.parts.flatMap(leavesOf) : [tree]
}

/** Every word and field that may make a record match: those that are excluded are left out. */
export function wantedLeavesOf(tree: QueryNode | null): readonly (WordNode | FieldNode)[] {
  if (tree === null || tree.kind === 'not') return []
  return 'parts' in tree ? tree.parts.flatMap(wantedLeavesOf) : [tree]
}

/** Any of some words or phrases. None match nothing. */
export function anyWordOf(texts: readonly string[]): QueryNode {
  const span = { from: 0, to: 0 }
  const given = texts.length > 0 ? texts : ['']
  const parts = given.map(
    (text): WordNode => ({ kind: 'word', ...span, text, isQuoted: true, isPrefix: false }),
  )
  return { kind: 'or', ...span, parts }
}

/** Returns true if the query consists of words and phrases that must all match. */
export function isPlain(tree: QueryNode | null): boolean {
  return conjunctsOf(tree).every((node) => node.kind === 'word' && !node.isPrefix)
}
