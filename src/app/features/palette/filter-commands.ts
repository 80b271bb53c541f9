import { todayIn } from '#app/features/periods/period-options.ts'
import { readPreferences } from '#app/ui/preferences.ts'
import { TRIAGE_FILTERS } from '#contract/bff/triage-filter.ts'
import { COUNTRY_CODES, countryName, findCountryCode } from '#contract/country.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { isPlain } from '#matcher/query/query-tree.ts'
import type { Command } from './command.ts'
import { rankCommands } from './rank-commands.ts'

const SEVERITIES = ['critical', 'high', 'medium', 'low']
const NAMED = /(?:^|\s)(category|country|severity|actor|industry|show|from|to)\s*:/giu
const DAY = /^\d{4}-\d\d-\d\d$/
const MAX_COUNT = 8

/** One filter: what it is found by and called, and its name in the feed's address. */
type Choice = { label: string; words?: string; search: [name: string, value: string] }
type Pair = { name: string; value: string }

/**
 * Returns commands that filter threats by `category: ran` or `country: de severity: crit`. Other text is searched. Empty
 * text has no commands.
 */
export function filterCommands(query: string, categories: readonly string[]): Command[] {
  const { text, pairs } = readPairs(query)
  const searched: Choice[] = text === '' ? [] : [{ label: `with “${text}”`, search: ['q', text] }]
  const last = pairs.at(-1)
  if (!last) return searched.map((choice) => toCommand([choice]))
  const fixed = pairs.slice(0, -1).map((pair) => findChoices(pair, categories).at(0))
  // One that is meant but unknown must not be left out unseen.
  if (fixed.includes(undefined)) return []
  const sure = [...searched, ...fixed.filter((choice) => choice !== undefined)]
  return findChoices(last, categories).map((choice) => toCommand([...sure, choice]))
}

/** The search of threats that a text in the query language asks for; words alone are found among all else. */
export function searchCommands(query: string): Command[] {
  const { tree, faults } = parseQuery(query)
  if (faults.length > 0 || isPlain(tree)) return []
  const href = `/threats?${new URLSearchParams({ q: query })}`
  return [
    { id: 'search', label: `Search threats for ${query}`, icon: 'search', act: { href }, isUntrusted: true },
  ]
}

/** Returns true if the text contains a filter. It is then not searched as a name. */
export function isFilter(query: string): boolean {
  return readPairs(query).pairs.length > 0
}

function readPairs(query: string): { text: string; pairs: Pair[] } {
  const names = [...query.matchAll(NAMED)]
  const pairs = names.map((match, at) => ({
    name: match[1]?.toLowerCase() ?? '',
    value: query.slice(match.index + match[0].length, names[at + 1]?.index).trim(),
  }))
  return { text: query.slice(0, names[0]?.index).trim(), pairs }
}

function findChoices({ name, value }: Pair, categories: readonly string[]): Choice[] {
  if (name !== 'actor' && name !== 'industry') {
    return rankCommands(listChoices(name, value, categories), value, MAX_COUNT)
  }
  return value === '' ? [] : [{ label: `${name} “${value}”`, search: [name, value] }]
}

/** The words are the choice alone, so that `country: c` does not find every country. */
function listChoices(name: string, value: string, categories: readonly string[]): Choice[] {
  const plain = (choices: readonly string[], param = name) =>
    choices.map((choice): Choice => ({ label: choice, search: [param, choice] }))
  if (name === 'category') return plain(categories)
  if (name === 'severity') return plain(SEVERITIES)
  if (name === 'show') return plain(TRIAGE_FILTERS, 'triage')
  if (name === 'country') {
    const named = findCountryCode(value)
    return COUNTRY_CODES.map((code) => ({
      label: countryName(code) ?? code,
      words: code === named ? value : code,
      search: [name, code],
    }))
  }
  const day = DAY.test(value) ? value : todayIn(readPreferences().timeZone, Date.now())
  return [{ label: `${name} ${day}`, words: day, search: [name, day] }]
}

function toCommand(choices: readonly Choice[]): Command {
  const href = `/threats?${new URLSearchParams(choices.map(({ search }) => search))}`
  const label = `Threats: ${choices.map((choice) => choice.label).join(', ')}`
  return { id: `filter ${href}`, label, icon: 'filter', act: { href }, isUntrusted: true }
}
