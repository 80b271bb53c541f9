import { COUNTRY_CODES, countryName } from '#contract/country.ts'
import type { Command } from './command.ts'
import { fold, rankCommands } from './rank-commands.ts'

const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const
const FREE = ['actor', 'industry'] as const
const MAX_COUNT = 8

/**
 * What `category: ran` or `country: ger` narrows the threats to; other text is what they are searched for. Nothing for
 * empty text.
 */
export function filterCommands(query: string, categories: readonly string[]): Command[] {
  const text = query.trim()
  if (text === '') return []
  const [, name = '', value = ''] = /^(\p{L}+)\s*:\s*(.*)$/u.exec(text) ?? []
  const field = ['category', 'country', 'severity', ...FREE].find((each) => fold(name) === each)
  if (field === undefined) return [toCommand(`Threats with “${text}”`, { q: text })]
  if (FREE.some((each) => each === field)) {
    return value === '' ? [] : [toCommand(`Threats of ${field} “${value}”`, { [field]: value })]
  }
  return rankCommands(choicesOf(field, categories), value, MAX_COUNT)
}

function choicesOf(field: string, categories: readonly string[]): Command[] {
  if (field === 'category') return categories.map((category) => toChoice('Category', category, { category }))
  if (field === 'severity') return SEVERITIES.map((severity) => toChoice('Severity', severity, { severity }))
  return COUNTRY_CODES.map((code) => toChoice('Country', countryName(code) ?? code, { country: code }, code))
}

/** Its words are the choice alone, so that `country: c` does not find every country. */
function toChoice(field: string, value: string, search: Record<string, string>, words = ''): Command {
  return { ...toCommand(value, search), detail: `${field} of threats`, words }
}

function toCommand(label: string, search: Record<string, string>): Command {
  const href = `/threats?${new URLSearchParams(search)}`
  return { id: `filter ${href}`, label, icon: 'filter', act: { href }, isUntrusted: true }
}
