import { parseKeyword } from '#matcher/keyword.ts'
import { nearestName } from './nearest-name.ts'
import { printField, quoteText } from './print-query.ts'
import { readDays, suggestDays } from './query-days.ts'
import {
  FIELD_VALUES,
  type FieldName,
  type FieldNode,
  isAnyValue,
  type QueryFault,
  type QueryValue,
} from './query-tree.ts'
import { valueSign } from './sign-hints.ts'

/** From the least on. */
export const LEVELS = ['low', 'medium', 'high', 'critical'] as const
type Level = (typeof LEVELS)[number]
export const TEAM_STATES = [
  'open',
  'new',
  'investigating',
  'closed',
  'mine',
  'overdue',
  'unread',
  'read',
  'starred',
] as const
/** Words of older searches and their present ones. */
export const FORMER_STATES: ReadonlyMap<string, (typeof TEAM_STATES)[number]> = new Map([
  ['dismissed', 'closed'],
])
export const CERTAINTIES = ['certain', 'to-confirm'] as const
export const PARTS = ['comment', 'analysis', 'evidence'] as const
/** The same for what a threat has. */
export const FORMER_PARTS: ReadonlyMap<string, (typeof PARTS)[number]> = new Map([['note', 'comment']])

const DAYS_EXAMPLE = 'Write a day as 2026-11-22, today, yesterday or 7d.'
const WORDLESS = 'Give a value with a letter or a digit in it.'

/** Other tools' words for a severity. */
const LEVEL_SYNONYMS: ReadonlyMap<string, Level> = new Map([
  ['urgent', 'critical'],
  ['severe', 'critical'],
  ['emergency', 'critical'],
  ['major', 'high'],
  ['moderate', 'medium'],
  ['minor', 'low'],
  ['info', 'low'],
  ['informational', 'low'],
])

/** A field as it stands in the text; `dash` is where the dash stands that leaves it out. */
type WrittenField = Pick<FieldNode, 'name' | 'values' | 'from' | 'to'> & { dash: number | null }

/** Returns each meaningless part of a field with its position. */
export function checkField(field: WrittenField): QueryFault[] {
  const { name, values } = field
  const fault = findNegated(field) ?? findRange(field)
  return fault ? [fault] : values.flatMap((value) => checkValue(name, value) ?? [])
}

/** Values behind a sign that leaves them out, as other languages have it: `country:!DE` is `-country:DE`. */
function findNegated({ name, values, from, to, dash }: WrittenField): QueryFault | null {
  const isNegated = ({ text, isQuoted }: QueryValue) => !isQuoted && /^[!-]/.test(text)
  if (name === 'id' || !values.some(isNegated)) return null
  const left = values
    .filter(isNegated)
    .map((value) => ({ ...value, text: value.text.replace(/^[!-]+=*/, '') }))
    .filter(({ text }) => text !== '')
  const rest = values.filter((value) => !isNegated(value))
  const start = dash ?? from
  const negated = left.length > 0 ? `${dash === null ? '-' : ''}${printField({ name, values: left })}` : null
  const kept = rest.length > 0 ? [printField({ name, values: rest })] : []
  const fix = negated === null || (dash !== null && rest.length > 0) ? null : [...kept, negated].join(' ')
  const message = `Write the dash before “${name}:” to leave a value out, or quote the value.`
  return { from: start, to, message, ...(fix !== null && { fix }) }
}

/** A first and a last day, where only one can stand. */
function findRange({ name, values, from, to }: WrittenField): QueryFault | null {
  const [value] = values
  if ((name !== 'after' && name !== 'before') || !value?.text.includes('..') || !readDays(value.text))
    return null
  const message = `“${name}:” takes one day. Write on: for a first and a last day.`
  return { from, to, message, ...(values.length === 1 && { fix: printField({ name: 'on', values }) }) }
}

function checkValue(name: FieldName, value: QueryValue): QueryFault | null {
  const { from, to, text, isQuoted, isPrefix, comparison } = value
  const fault = (message: string, fix?: string | null): QueryFault => ({
    from,
    to,
    message,
    ...(fix && { fix }),
  })
  if (comparison && name !== 'severity') {
    return fault(`“${comparison}” compares severities alone.`, text.trim() === '' ? null : quoteText(text))
  }
  if (text.trim() === '') return fault('Write a value here.')
  const sign = !isQuoted && FIELD_VALUES[name].kind !== 'other' ? valueSign(text) : null
  if (sign)
    return fault(sign.message, sign.fix && `${sign.fix}${isPrefix && !sign.fix.endsWith('*') ? '*' : ''}`)
  switch (name) {
    case 'severity':
      return checkLevel(value, fault)
    case 'after':
    case 'before':
    case 'on':
      return readDays(text) ? null : fault(`“${text}” is no day. ${DAYS_EXAMPLE}`, suggestDays(text))
    case 'is':
      return oneOf([...TEAM_STATES, ...FORMER_STATES.keys()], text)
        ? null
        : fault(unknownWord(TEAM_STATES, text), nearestName(text, TEAM_STATES))
    case 'has':
      return oneOf([...PARTS, ...FORMER_PARTS.keys()], text)
        ? null
        : fault(unknownWord(PARTS, text), nearestName(text, PARTS))
    case 'match':
      return oneOf(CERTAINTIES, text)
        ? null
        : fault(unknownWord(CERTAINTIES, text), nearestName(text, CERTAINTIES))
    case 'id':
      return isAnyValue(value) ? fault('Every threat has an id.') : null
    default:
      if (isAnyValue(value)) return null
      return FIELD_VALUES[name].kind === 'words' && !parseKeyword(text) ? fault(WORDLESS) : null
  }
}

/** Severities are these four; what a vendor has beside them is found in quotation marks. */
function checkLevel(
  value: QueryValue,
  fault: (message: string, fix?: string | null) => QueryFault,
): QueryFault | null {
  const { text, isQuoted, isPrefix, comparison } = value
  const level = text.trim().toLowerCase()
  if (text.includes('..')) return fault('Write severities from one on as in >=medium, or side by side.')
  if (comparison === '>' && level === LEVELS.at(-1)) return fault(`No severity is above ${level}.`, level)
  if (comparison === '<' && level === LEVELS[0]) return fault(`No severity is below ${level}.`, level)
  const isKnown = LEVELS.some((known) => (isPrefix ? known.startsWith(level) : known === level))
  if (isKnown || isAnyValue(value) || (isQuoted && !comparison)) return null
  const nearest = nearestLevel(level)
  const message = comparison
    ? `Compare with ${LEVELS.join(', ')}.`
    : `“${text}” is no severity: use ${LEVELS.join(', ')}.`
  return fault(message, nearest && `${comparison ?? ''}${nearest}`)
}

/** The severity that a text most likely means, also by other tools' words. */
export function nearestLevel(text: string): Level | null {
  const level = text.trim().toLowerCase()
  return nearestName(level, LEVELS) ?? LEVEL_SYNONYMS.get(level) ?? null
}

function oneOf(words: readonly string[], text: string): boolean {
  return words.includes(text.toLowerCase())
}

function unknownWord(words: readonly string[], text: string): string {
  return `“${text}” is not known here: use ${words.join(', ')}.`
}
