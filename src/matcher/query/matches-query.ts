import type { ListPart } from '#contract/bff/threat.ts'
import { holdsKeyword } from '#matcher/keyword.ts'
import {
  holdsWanted,
  partOf,
  type QueryContext,
  type QueryTest,
  testsOf,
  type ValueName,
} from './query-tests.ts'
import type { QueryNode } from './query-tree.ts'

/** What a query knows of a record. */
export type QueryRecord = {
  id: string
  /** When it was published, epoch milliseconds; null where it does not say. */
  at: number | null
  /** All that is searched, as `normaliseTexts` writes it. */
  text: string
  /** Each as `foldValue` writes it. */
  values: Readonly<Record<ValueName, readonly string[]>>
  /** Alpha-2, in capitals. */
  countries: readonly string[]
  /** Names that have values which the plan withholds. */
  withheld: readonly string[]
  /** Whether it has each part; those of which its list does not say are absent. */
  parts: Readonly<Partial<Record<ListPart, boolean>>>
}

/**
 * Whether a record matches, as the language defines it: every other evaluator must agree with this one. Where its list
 * does not say what a field asks for, that field neither holds nor fails (Kleene's third value).
 */
export function matchesQuery(tree: QueryNode | null, record: QueryRecord, context: QueryContext): boolean {
  return tree === null || isKnown(tree, record, { context, wanted: true })
}

/** Whether nobody can know if a record matches, as its list does not say. */
export function mayMatch(tree: QueryNode | null, record: QueryRecord, context: QueryContext): boolean {
  if (tree === null) return false
  return [true, false].every((wanted) => !isKnown(tree, record, { context, wanted }))
}

type Asked = { context: QueryContext; wanted: boolean }

/** Whether it is known that a query holds, or, where that is wanted, that it fails. */
function isKnown(tree: QueryNode, record: QueryRecord, { context, wanted }: Asked): boolean {
  const isSo = (part: QueryNode) => isKnown(part, record, { context, wanted })
  switch (tree.kind) {
    case 'and':
      return wanted ? tree.parts.every(isSo) : tree.parts.some(isSo)
    case 'or':
      return wanted ? tree.parts.some(isSo) : tree.parts.every(isSo)
    case 'not':
      return isKnown(tree.part, record, { context, wanted: !wanted })
    default: {
      const tests = testsOf(tree, context)
      if (wanted) return tests.some((test) => passes(test, record, context))
      return tests.every((test) => isSaid(test, record) && !passes(test, record, context))
    }
  }
}

function isSaid(test: QueryTest, { parts }: QueryRecord): boolean {
  const part = partOf(test)
  return part === null || parts[part] !== undefined
}

function passes(test: QueryTest, record: QueryRecord, { marksOf }: QueryContext): boolean {
  switch (test.kind) {
    case 'text':
      return test.wanted.keyword !== null && holdsText(record.text, test.wanted)
    case 'value':
      return record.values[test.name].some((value) => holdsWanted(value, test.wanted))
    case 'any':
      return (
        record.values[test.name].length > 0 ||
        record.withheld.includes(test.name) ||
        (test.name === 'place' && record.countries.length > 0)
      )
    case 'country':
      return record.countries.some((code) => test.codes.includes(code))
    case 'level':
      return record.values.severity.some((level) => test.levels.includes(level))
    case 'time':
      return record.at !== null && record.at >= test.moments.start && record.at < test.moments.end
    case 'id':
      return test.isPrefix ? record.id.startsWith(test.text) : record.id === test.text
    case 'part':
      return record.parts[test.part] ?? false
    case 'marks':
      return test.accepts(marksOf(record.id))
    case 'profile':
      return (
        test.keywords.some((keyword) => holdsKeyword(record.text, keyword)) &&
        (test.categories.length === 0 ||
          record.values.category.some((value) => test.categories.includes(value)))
      )
  }
}

function holdsText(
  text: string,
  { keyword, isPrefix }: { keyword: { normalised: string } | null; isPrefix: boolean },
) {
  const normalised = keyword?.normalised ?? ''
  return text.includes(isPrefix ? normalised.slice(0, -1) : normalised)
}
