import { countryName, findCountryCode } from '#contract/country.ts'
import { describeKeyword, parseKeyword } from '#matcher/keyword.ts'
import { FORMER_PARTS, FORMER_STATES } from './check-field.ts'
import { calendarDays, isRelative, readDays } from './query-days.ts'
import {
  type FieldNode,
  isAnyValue,
  type JointNode,
  type QueryNode,
  type QueryValue,
  type WordNode,
} from './query-tree.ts'

const COMPARED = { '>=': 'or above', '<=': 'or below', '>': 'above', '<': 'below' } as const
const STATES: Readonly<Record<string, string>> = {
  starred: 'starred by the team',
  read: 'read by the team',
  unread: 'unread by the team',
  closed: 'closed by the team',
  open: 'not closed by the team',
  new: 'open and owned by nobody',
  investigating: 'open and owned by somebody',
  mine: 'open and owned by you',
  overdue: 'open and overdue now',
}

const PARTS_HAD: Readonly<Record<string, string>> = {
  comment: 'with a comment',
  analysis: 'with an analysis',
  evidence: 'with evidence',
}

export type ExplainContext = {
  /** Resolves days. */
  today?: string
  /** The name of the list that a value names by its id; null where it names none so. */
  listById?: (text: string) => string | null
}

/** How a query was understood, in words: `(hospital or klinik) and country is Germany`. */
export function explainQuery(tree: QueryNode | null, context: ExplainContext = {}): string {
  return tree === null ? '' : explain(tree, context)
}

function explain(node: QueryNode, context: ExplainContext): string {
  switch (node.kind) {
    case 'word':
      return explainWord(node)
    case 'field':
      return explainField(node, context)
    case 'not':
      return `not ${within(node.part, context)}`
    default:
      return [...new Set(flat(node).map((part) => within(part, context)))].join(` ${node.kind} `)
  }
}

/** Parts of one kind need no parentheses. */
function flat({ kind, parts }: JointNode): readonly QueryNode[] {
  return parts.flatMap((part) => ('parts' in part && part.kind === kind ? flat(part) : [part]))
}

function within(part: QueryNode, context: ExplainContext): string {
  const isAlternative = part.kind === 'field' && part.values.length > 1
  const isJoint = 'parts' in part || isAlternative
  return isJoint ? `(${explain(part, context)})` : explain(part, context)
}

function explainWord({ text, isPrefix }: WordNode | QueryValue): string {
  const keyword = parseKeyword(text)
  const isJoint = /^(?:and|or|not)$/i.test(text)
  const described = keyword && !isJoint ? describeKeyword(keyword) : `"${text}"`
  return isPrefix ? `${described}…` : described
}

function explainField({ name, values }: FieldNode, context: ExplainContext): string {
  const [first = '', ...others] = values.map((value) => explainValue(name, value, context))
  const [lead = ''] = new RegExp(`^${name} (?:is|has) `).exec(first) ?? []
  return [first, ...others.map((text) => (text.startsWith(lead) ? text.slice(lead.length) : text))].join(
    ' or ',
  )
}

function explainValue(name: FieldNode['name'], value: QueryValue, context: ExplainContext): string {
  const { text, comparison } = value
  const { today, listById } = context
  if (isAnyValue(value) && name === 'list') return 'matching any list'
  if (isAnyValue(value)) return name === 'source' ? 'seen anywhere' : `with any ${name}`
  switch (name) {
    case 'country': {
      const code = value.isPrefix ? null : findCountryCode(text)
      return `country is ${code === null ? explainWord(value) : (countryName(code) ?? code)}`
    }
    case 'severity': {
      if (!comparison) return `severity is ${explainWord(value)}`
      const isStrict = comparison === '>' || comparison === '<'
      const level = text.toLowerCase()
      return `severity is ${isStrict ? `${COMPARED[comparison]} ${level}` : `${level} ${COMPARED[comparison]}`}`
    }
    case 'after':
      return `published on ${daysOf(text, today).first} or later`
    case 'before':
      return `published before ${daysOf(text, today).first}`
    case 'on': {
      const { first, last } = daysOf(text, today)
      return first === last ? `published on ${first}` : `published from ${first} to ${last}`
    }
    case 'is':
      return STATES[FORMER_STATES.get(text.toLowerCase()) ?? text.toLowerCase()] ?? `is ${text}`
    case 'owner':
      return explainOwner(value)
    case 'has':
      return PARTS_HAD[FORMER_PARTS.get(text.toLowerCase()) ?? text.toLowerCase()] ?? `has ${text}`
    case 'source':
      return `seen at ${text}${value.isPrefix ? '…' : ' or below it'}`
    case 'id':
      return `id is ${text}${value.isPrefix ? '…' : ''}`
    case 'profile':
      return `matching the alert profile “${text}”`
    case 'list': {
      const named = value.isPrefix ? null : listById?.(text)
      return named
        ? `matching the list “${named}” with this id`
        : `matching the list “${text}${value.isPrefix ? '…' : ''}”`
    }
    case 'entry':
      return `matching an entry with ${explainWord(value)}`
    case 'match':
      return text.toLowerCase() === 'certain' ? 'with a certain match' : 'with a match to confirm'
    case 'domain':
      return `domain is ${text}${value.isPrefix ? '…' : ' or below it'}`
    default:
      return `${name} has ${explainWord(value)}`
  }
}

function daysOf(text: string, today: string | undefined): { first: string; last: string } {
  const days = readDays(text)
  const isKnown = days && (!isRelative(days) || today !== undefined)
  return isKnown ? calendarDays(days, today ?? '') : { first: text, last: text }
}

function explainOwner(value: QueryValue): string {
  if (isAnyValue(value)) return 'owned by somebody'
  const text = value.isQuoted ? '' : value.text.toLowerCase()
  if (text === 'nobody') return 'owned by nobody'
  if (text === 'inactive') return 'owned by an inactive account'
  return text === 'me' ? 'owned by you' : `owned by ${explainWord(value)}`
}
