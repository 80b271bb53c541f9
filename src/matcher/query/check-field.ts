import { parseKeyword } from '#matcher/keyword.ts'
import { nearestName } from './nearest-name.ts'
import { quoteText } from './print-query.ts'
import { readDays, suggestDays } from './query-days.ts'
import { type FieldName, type FieldNode, isAnyValue, type QueryFault, type QueryValue } from './query-tree.ts'

/** From the least on. */
export const LEVELS = ['low', 'medium', 'high', 'critical'] as const
export const TEAM_STATES = ['starred', 'read', 'unread', 'dismissed', 'open'] as const
export const PARTS = ['note', 'analysis', 'evidence'] as const

const DAYS_EXAMPLE = 'Write a day as 2026-11-22, today, yesterday or 7d.'
const WORDLESS = 'Give a value with a letter or a digit in it.'

/** Names whose values are looked for among a record's words. */
const WORDY: readonly FieldName[] = ['victim', 'domain', 'source', 'country']

/** What of a field's values has no meaning, each with its place. */
export function checkField({ name, values }: Pick<FieldNode, 'name' | 'values'>): QueryFault[] {
  return values.flatMap((value) => checkValue(name, value) ?? [])
}

function checkValue(name: FieldName, value: QueryValue): QueryFault | null {
  const { from, to, text, comparison } = value
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
  switch (name) {
    case 'severity': {
      const level = text.trim().toLowerCase()
      if (text.includes('..')) return fault('Write severities from one on as in >=medium, or side by side.')
      if (!comparison || LEVELS.some((known) => known === level)) return null
      const nearest = nearestName(level, LEVELS)
      return fault(`Compare with ${LEVELS.join(', ')}.`, nearest && `${comparison}${nearest}`)
    }
    case 'after':
    case 'before':
    case 'on':
      return readDays(text) ? null : fault(`“${text}” is no day. ${DAYS_EXAMPLE}`, suggestDays(text))
    case 'is':
      return oneOf(TEAM_STATES, text)
        ? null
        : fault(unknownWord(TEAM_STATES, text), nearestName(text, TEAM_STATES))
    case 'has':
      return oneOf(PARTS, text) ? null : fault(unknownWord(PARTS, text), nearestName(text, PARTS))
    case 'id':
      return isAnyValue(value) ? fault('Every threat has an id.') : null
    default:
      if (isAnyValue(value)) return null
      return WORDY.includes(name) && !parseKeyword(text) ? fault(WORDLESS) : null
  }
}

function oneOf(words: readonly string[], text: string): boolean {
  return words.includes(text.toLowerCase())
}

function unknownWord(words: readonly string[], text: string): string {
  return `“${text}” is not known here: use ${words.join(', ')}.`
}
