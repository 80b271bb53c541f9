import { setImmediate } from 'node:timers/promises'
import type { IndexRows } from '#bff/store/index/index-rows.ts'
import { valuesInUse } from '#bff/store/index/select-rows.ts'
import type { Condition, ConditionQuery, NearestValue } from '#contract/bff/condition.ts'
import { FACET_NAMES, type FacetName, threatFilterNameSchema } from '#contract/bff/threat-list.ts'
import { countryName, findCountryCode, foldCountryName } from '#contract/country.ts'
import { foldValue } from '#matcher/normalise-text.ts'
import { nearestLevel } from '#matcher/query/check-field.ts'
import { mayBeNear, nearestName } from '#matcher/query/nearest-name.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { printField, printQuery, quoteText, writeValue } from '#matcher/query/print-query.ts'
import { conjunctsOf, isAnyValue, type QueryNode } from '#matcher/query/query-tree.ts'

/** Counting each condition scans all rows. */
const CONDITIONS_MAX_COUNT = 20
/** A condition looks up at most this many values that no threat has. */
const VALUES_MAX_COUNT = 5

type Counting = {
  rows: IndexRows
  /** Counts the threats that a filter matches. */
  countOf(filter: ConditionQuery): Promise<number>
}

/** A value of a condition. It has a filter of the value alone, and a filter with another value in its place. */
type Value = {
  field: FacetName
  value: string
  alone: ConditionQuery
  replaced(value: string): { filter: ConditionQuery; place?: NearestValue['place'] }
}
type ConditionPart = {
  name: Condition['name']
  part?: number
  alone: ConditionQuery
  values: readonly Value[]
}

/** Counts each filter and each part of a search alone. Other requests are served between two scans. */
export async function countConditions(
  query: ConditionQuery,
  { rows, countOf }: Counting,
): Promise<{ conditions: Condition[]; more: number }> {
  const parts = splitConditions(query)
  const conditions: Condition[] = []
  for (const { alone, values, ...name } of parts.slice(0, CONDITIONS_MAX_COUNT)) {
    await setImmediate()
    const count = await countOf(alone)
    const nearest: NearestValue[] = []
    for (const { field, value, ...filters } of values.slice(0, VALUES_MAX_COUNT)) {
      const own = values.length === 1 ? count : await countOf(filters.alone)
      const instead = own === 0 ? findNearestValue(rows, field, value) : null
      if (instead === null) continue
      const { filter, place } = filters.replaced(instead)
      nearest.push({ field, value, instead, count: await countOf(filter), ...(place && { place }) })
    }
    conditions.push({ ...name, count, nearest })
  }
  return { conditions, more: parts.length - conditions.length }
}

function splitConditions(query: ConditionQuery): ConditionPart[] {
  const scope = { timeZone: query.timeZone }
  return threatFilterNameSchema.options.flatMap((name): ConditionPart[] => {
    if (name === 'q') return splitSearch(query.q ?? '', scope)
    if (query[name] === undefined) return []
    const facet = FACET_NAMES.find((each) => each === name)
    // A country code without threats gets no suggestions.
    const given = facet === undefined || facet === 'country' ? [] : (query[facet] ?? [])
    const values = given.flatMap((value): Value[] => {
      if (facet === undefined) return []
      const only = (one: string) => ({ ...scope, [facet]: [one] })
      return [{ field: facet, value, alone: only(value), replaced: (one) => ({ filter: only(one) }) }]
    })
    return [{ name, alone: { ...scope, [name]: query[name] }, values }]
  })
}

function splitSearch(q: string, scope: ConditionQuery): ConditionPart[] {
  return conjunctsOf(parseQuery(q).tree).map((node, part) => ({
    name: 'q',
    part,
    alone: { ...scope, q: printQuery(node) },
    values: valuesOf(node, scope),
  }))
}

function valuesOf(node: QueryNode, scope: ConditionQuery): Value[] {
  const name = node.kind === 'field' ? FACET_NAMES.find((each) => each === node.name) : undefined
  if (node.kind !== 'field' || name === undefined) return []
  return node.values
    .filter((value) => value.comparison === null && !isAnyValue(value))
    .map((value) => ({
      field: name,
      value: value.text,
      alone: { ...scope, q: printField({ name, values: [value] }) },
      replaced: (instead) => ({
        filter: { ...scope, q: `${name}:${quoteText(instead)}` },
        place: { from: value.from, to: value.to, fix: writeValue(instead, name) },
      }),
    }))
}

/**
 * Returns the value that a text most likely means: by similar letters or as a prefix, the most frequent first. For a
 * value of several words, any of its words may be meant. Null if none is near, or if the text is a known value.
 */
function findNearestValue(rows: IndexRows, name: FacetName, text: string): string | null {
  if (name === 'country' && findCountryCode(text) !== null) return null
  const wanted = name === 'country' ? foldCountryName(text) : foldValue(text)
  const wordCount = wanted.split(' ').length
  const byText = new Map<string, string>()
  for (const value of valuesInUse(rows, name)) {
    const folded = name === 'country' ? foldCountryName(countryName(value) ?? value) : foldValue(value)
    for (const part of [folded, ...partsOf(folded, wordCount)]) {
      if (mayBeNear(part, wanted) && part !== wanted && !byText.has(part)) byText.set(part, value)
    }
  }
  const nearest = nearestName(wanted, [...byText.keys()]) ?? (name === 'severity' ? nearestLevel(text) : null)
  return nearest === null ? null : (byText.get(nearest) ?? nearest)
}

/** Returns all sequences of adjacent words of a value. */
function partsOf(folded: string, wordCount: number): string[] {
  const words = folded.split(' ')
  if (words.length <= wordCount) return []
  return words
    .slice(0, words.length - wordCount + 1)
    .map((_, at) => words.slice(at, at + wordCount).join(' '))
}
