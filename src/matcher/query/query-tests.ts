import { LIST_PARTS, type ListPart } from '#contract/bff/threat.ts'
import { acceptsTriage, type TriageMarked, triageFilterSchema } from '#contract/bff/triage-filter.ts'
import { COUNTRY_CODES, countryName, findCountryCode } from '#contract/country.ts'
import { type Keyword, parseKeyword } from '#matcher/keyword.ts'
import { foldValue } from '#matcher/normalise-text.ts'
import { tokenise } from '#matcher/tokenise.ts'
import { LEVELS } from './check-field.ts'
import { type DaySpan, readDays } from './query-days.ts'
import {
  FIELD_VALUES,
  type FieldNode,
  isAnyValue,
  type QueryValue,
  type ValueName,
  type WordNode,
} from './query-tree.ts'

/** The team's state of a threat. */
export type TeamMarked = Omit<TriageMarked, 'isMine'> & {
  hasComment: boolean
  ownerId: string | null
  /** Name and email of the owner. */
  ownerText: string
  /** The owner can act on cases; true where there is none. */
  isOwnerActive: boolean
}

export type Moments = { start: number; end: number }

/** Facts of the moment and the team that a query depends on. */
export type QueryContext = {
  /** From the first moment of the first day on, before the end of the last, epoch milliseconds. */
  momentsOf(days: DaySpan): Moments
  marksOf(id: string): TeamMarked | undefined
  /** The account whose cases are `mine`; undefined where nobody reads. */
  readerId?: string | undefined
}

/** Words that are looked for in one text. */
export type Wanted = {
  text: string
  /** Null where it has neither letter nor digit: then it is all of the text. */
  keyword: Keyword | null
  isPrefix: boolean
  /** The text ends with them: `example.com` stands in `mail.example.com`, and not in `example.com.evil`. */
  isEnd: boolean
}

/** The tests of a record. A word or field holds where one of its tests does. */
export type QueryTest =
  | { kind: 'text'; wanted: Wanted }
  | { kind: 'value'; name: ValueName; wanted: Wanted }
  /** Has a value at all, withheld or not. A country counts whether it is known or not. */
  | { kind: 'any'; name: ValueName }
  | { kind: 'country'; codes: readonly string[] }
  | { kind: 'level'; levels: readonly string[] }
  | { kind: 'time'; moments: Moments }
  | { kind: 'id'; text: string; isPrefix: boolean }
  | { kind: 'part'; part: ListPart }
  /** `isOfReader`: the answer depends on who reads it. `isOfDue`: on when cases are due, and on the time now. */
  | {
      kind: 'marks'
      isOfReader?: boolean
      isOfDue?: boolean
      accepts(marked: TeamMarked | undefined): boolean
    }
  | { kind: 'profile'; name: string }
  | ListedTest

/** A test of the entries of lists that a record matches. `wanted` is null where any matches. */
export type ListedTest = { kind: 'listed'; by: 'list' | 'entry' | 'match'; wanted: Wanted | null }

export function testsOf(node: WordNode | FieldNode, context: QueryContext): readonly QueryTest[] {
  if (node.kind === 'word') return [{ kind: 'text', wanted: wantedOf(node.text, node.isPrefix) }]
  return node.values.flatMap((value) => testsOfValue(node.name, value, context))
}

function testsOfValue(
  name: FieldNode['name'],
  value: QueryValue,
  { momentsOf, readerId }: QueryContext,
): readonly QueryTest[] {
  const { text } = value
  const wanted = wantedOf(value.text, value.isPrefix)
  const { any } = FIELD_VALUES[name]
  if (any !== null && isAnyValue(value)) return [{ kind: 'any', name: any }]
  switch (name) {
    case 'actor':
    case 'victim':
    case 'category':
    case 'industry':
      return [{ kind: 'value', name, wanted }]
    case 'domain':
    case 'source':
      return domainForms(text).map((form) => {
        const ofForm = wantedOf(form, value.isPrefix)
        return { kind: 'value', name, wanted: { ...ofForm, isEnd: !ofForm.isPrefix } }
      })
    case 'severity':
      return value.comparison
        ? [{ kind: 'level', levels: levelsBy(value) }]
        : [{ kind: 'value', name, wanted }]
    case 'country': {
      const code = value.isPrefix ? null : findCountryCode(text)
      if (code !== null) return [{ kind: 'country', codes: [code] }]
      const codes = COUNTRY_CODES.filter((each) => holdsWanted(foldValue(countryName(each) ?? ''), wanted))
      return [
        { kind: 'country', codes },
        { kind: 'value', name: 'place', wanted },
      ]
    }
    case 'id':
      return [{ kind: 'id', text, isPrefix: value.isPrefix }]
    case 'after':
    case 'before':
    case 'on': {
      const days = readDays(text)
      if (!days) return []
      const { start, end } = momentsOf(days)
      const none = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }
      const moments = { after: { ...none, start }, before: { ...none, end: start }, on: { start, end } }
      return [{ kind: 'time', moments: moments[name] }]
    }
    case 'is':
      return [stateTest(text.toLowerCase(), readerId)]
    case 'owner':
      return [ownerTest(value, readerId)]
    case 'has': {
      const part = LIST_PARTS.find((each) => each === text.toLowerCase())
      return part
        ? [{ kind: 'part', part }]
        : [{ kind: 'marks', accepts: (marked) => marked?.hasComment ?? false }]
    }
    case 'profile':
      return [{ kind: 'profile', name: foldValue(text) }]
    case 'list':
    case 'entry':
    case 'match':
      return [{ kind: 'listed', by: name, wanted: isAnyValue(value) ? null : wanted }]
  }
}

/** Returns true if a folded value contains what is wanted. */
export function holdsWanted(folded: string, { text, keyword, isPrefix, isEnd }: Wanted): boolean {
  if (!keyword) return folded === text
  const normalised = ` ${folded} `
  if (isPrefix) return normalised.includes(keyword.normalised.slice(0, -1))
  return isEnd ? normalised.endsWith(keyword.normalised) : normalised.includes(keyword.normalised)
}

function wantedOf(text: string, isPrefix: boolean): Wanted {
  // If the star does not follow a letter or digit, it continues no word.
  const goesOn = isPrefix && tokenise(text).at(-1)?.end === text.length
  return { text, keyword: parseKeyword(text), isPrefix: goesOn, isEnd: false }
}

/** A domain as it is written, without what surrounds it in an address; and as its ASCII form (UTS 46). */
function domainForms(text: string): string[] {
  const host = text.replace(/^[a-z]+(?:\[?:\]?)\/\//i, '').replace(/[/?#].*$/s, '') || text
  const plain = host.replaceAll(/[[\](){}]/g, '')
  const ascii = URL.parse(`http://${plain}/`)?.hostname
  const forms = [host, ...(ascii?.includes('xn--') ? [ascii] : [])]
  return forms.filter((form) => parseKeyword(form) !== null)
}

function levelsBy({ text, comparison }: QueryValue): readonly string[] {
  const known: readonly string[] = LEVELS
  const at = known.indexOf(text.trim().toLowerCase())
  if (at < 0) return []
  const isAccepted = {
    '>=': (other: number) => other >= at,
    '<=': (other: number) => other <= at,
    '>': (other: number) => other > at,
    '<': (other: number) => other < at,
  }
  return LEVELS.filter((_, other) => comparison !== null && isAccepted[comparison](other))
}

type MarksTest = Extract<QueryTest, { kind: 'marks' }>

function stateTest(state: string, readerId: string | undefined): MarksTest {
  switch (state) {
    case 'read':
      return { kind: 'marks', accepts: (marked) => marked?.isRead ?? false }
    case 'new':
      return { kind: 'marks', accepts: (marked) => !marked?.isClosed && !marked?.ownerId }
    case 'investigating':
      return { kind: 'marks', accepts: (marked) => !marked?.isClosed && Boolean(marked?.ownerId) }
  }
  const filter = triageFilterSchema.safeParse(state).data
  return {
    kind: 'marks',
    isOfReader: filter === 'mine',
    isOfDue: filter === 'overdue',
    accepts: (marked) =>
      filter !== undefined && acceptsTriage(filter, marked && withReader(marked, readerId)),
  }
}

/** The marks as one reader has them. */
export function withReader(marked: TeamMarked, readerId: string | undefined): TriageMarked {
  return { ...marked, isMine: readerId !== undefined && marked.ownerId === readerId }
}

const ADDRESS = /^[^\s@]+@[^\s@]+$/

function ownerTest(value: QueryValue, readerId: string | undefined): MarksTest {
  if (isAnyValue(value)) return { kind: 'marks', accepts: (marked) => Boolean(marked?.ownerId) }
  const text = value.isQuoted ? '' : value.text.toLowerCase()
  if (text === 'nobody') return { kind: 'marks', accepts: (marked) => !marked?.ownerId }
  if (text === 'inactive') return { kind: 'marks', accepts: (marked) => marked?.isOwnerActive === false }
  if (text === 'me') {
    const isMine = (marked: TeamMarked | undefined) => readerId !== undefined && marked?.ownerId === readerId
    return { kind: 'marks', isOfReader: true, accepts: isMine }
  }
  // An address means one account, and is the last word: it can be the end of another one's.
  if (ADDRESS.test(value.text) && !value.isPrefix) {
    const address = ` ${value.text.toLowerCase()}`
    return {
      kind: 'marks',
      accepts: (marked) => ` ${marked?.ownerText ?? ''}`.toLowerCase().endsWith(address),
    }
  }
  const wanted = wantedOf(value.text, value.isPrefix)
  const accepts = (marked: TeamMarked | undefined) =>
    Boolean(marked?.ownerId) && holdsWanted(foldValue(marked?.ownerText ?? ''), wanted)
  return { kind: 'marks', accepts }
}
