import type { CountedName } from '#contract/bff/threat.ts'
import { foldName, foldNames } from './field-names.ts'
import { Fields } from './fields.ts'
import { entriesOf, readCount, readLabel, readNumber, readWord } from './read-value.ts'
import usualNames from './usual-names.json' with { type: 'json' }

const MAX_COUNT = 1_000
const NAMES = foldNames(usualNames.counted)
/** Names of figures: a map that has them is no map of counts by name. */
const FIGURES = new Set(NAMES.figures)

/** Names with their counts, each name once: from a list of texts, objects or pairs, or from a map of counts. */
export function readCountedNames(value: unknown): CountedName[] | null {
  const items = Array.isArray(value) ? value.map(readItem) : countsIn(value)
  const found = new Map<string, CountedName>()
  for (const item of items?.slice(0, MAX_COUNT) ?? [])
    if (item && !found.has(item.name)) found.set(item.name, item)
  return found.size > 0 ? [...found.values()] : null
}

function readItem(item: unknown): CountedName | null {
  if (Array.isArray(item)) return item.length === 2 ? toCounted(item[0], item[1]) : null
  const fields = Fields.of(item)
  if (!fields) return toCounted(item, null)
  const name = fields.take(NAMES.name, readLabel) ?? fields.takeOnly(readWord) ?? fields.takeOnly(readLabel)
  const count = fields.take(NAMES.count, readCount) ?? fields.takeOnly(readNumber)
  return toCounted(name, count)
}

function countsIn(value: unknown): (CountedName | null)[] | null {
  const members = entriesOf(value)
  const isCounts = members.every(([name, count]) => readCount(count) !== null && !FIGURES.has(foldName(name)))
  return isCounts ? members.map(([name, count]) => toCounted(name, count)) : null
}

function toCounted(name: unknown, count: unknown): CountedName | null {
  const text = readLabel(name)
  return text === null ? null : { name: text, count: readCount(count) }
}
