import { ProblemError } from '#bff/http/problem-error.ts'
import { toQueryRecord } from '#bff/store/index/threat-terms.ts'
import type { Search } from '#bff/store/read-search.ts'
import { asksForParts, requireSaid } from '#bff/store/require-said.ts'
import { toIso } from '#bff/time/time-range.ts'
import { LIST_PARTS, type Threat } from '#contract/bff/threat.ts'
import type { ThreatListQuery } from '#contract/bff/threat-list.ts'
import { explainQuery } from '#matcher/query/explain-query.ts'
import { matchesQuery, mayMatch } from '#matcher/query/matches-query.ts'
import { printQuery } from '#matcher/query/print-query.ts'
import { foldValue, holdsWanted, testsOf } from '#matcher/query/query-tests.ts'
import { conjunctsOf, type FieldNode, isPlain, type QueryNode } from '#matcher/query/query-tree.ts'

/** What the vendor is asked for a search, and what is left to be filtered here. */
export type VendorSearch = {
  query: ThreatListQuery
  /** Null where the vendor filters by all of it. */
  rest: VendorRest | null
}

type VendorRest = {
  accepts(threat: Threat): boolean
  description: string
  /** Where it depends on what the list says: throws if that says nothing of any record of a page. */
  requireSaid(threats: readonly Threat[]): void
  /** How many of a page may match, as the list does not say; undefined where it does not depend on it. */
  countUndecided(threats: readonly Threat[]): number | undefined
}

/**
 * The ways to ask the vendor for a search, the best first: what its parameters have a name for is asked of it, words by
 * its own search if a route set has one, and the rest is left out of its pages here.
 */
export function vendorSearches(
  query: ThreatListQuery,
  search: Search,
  categories: readonly string[],
): VendorSearch[] {
  const { tree, bounds, today, context } = search
  if (search.isOfTeam) throw teamUnknown()
  const { q: _, ...others } = query
  if (tree === null) return [{ query: others, rest: null }]
  if (isPlain(tree)) return [{ query: { ...query, q: printQuery(tree) }, rest: null }]

  const asked: ThreatListQuery = { ...others, since: toIso(bounds.start), until: toIso(bounds.end) }
  const words: QueryNode[] = []
  const rest: QueryNode[] = []
  for (const node of conjunctsOf(tree)) {
    const code = node.kind === 'field' && !asked.country ? codeOf(node, search) : null
    const category = node.kind === 'field' && !asked.category ? categoryOf(node, search, categories) : null
    if (code !== null) asked.country = [code]
    else if (category !== null) asked.category = [category]
    else if (isPlain(node)) words.push(node)
    else if (!isTime(node)) rest.push(node)
  }
  const restOf = (nodes: readonly QueryNode[]): VendorSearch['rest'] => {
    if (nodes.length === 0) return null
    const left: QueryNode = { kind: 'and', from: tree.from, to: tree.to, parts: nodes }
    const whole = { ...context, marksOf: () => undefined }
    return {
      accepts: (threat) => matchesQuery(left, toQueryRecord(threat), whole),
      description: explainQuery(left, today),
      requireSaid(threats) {
        const said = LIST_PARTS.filter((part) =>
          threats.some(({ listSays }) => listSays?.[part] !== undefined),
        )
        if (threats.length > 0) requireSaid(left, said)
      },
      countUndecided: (threats) =>
        asksForParts(left)
          ? threats.filter((threat) => mayMatch(left, toQueryRecord(threat), whole)).length
          : undefined,
    }
  }
  const byWords = words.map((word) => printQuery(word)).join(' ')
  // The set that searches by words is the one whose lists are documented to say nothing of parts.
  const isSearched = words.length > 0 && !rest.some(asksForParts)
  return [
    ...(isSearched ? [{ query: { ...asked, q: byWords }, rest: restOf(rest) }] : []),
    { query: asked, rest: restOf([...words, ...rest]) },
  ]
}

/** One value that is a country's code or name. */
function codeOf(node: FieldNode, { context }: Search): string | null {
  if (node.name !== 'country') return null
  const [test, ...more] = testsOf(node, { ...context, marksOf: () => undefined })
  return test?.kind === 'country' && more.length === 0 ? (test.codes[0] ?? null) : null
}

/** One value that is a category as the source writes it, and no part of another. */
function categoryOf(node: FieldNode, { context }: Search, categories: readonly string[]): string | null {
  const [test, ...more] = testsOf(node, { ...context, marksOf: () => undefined })
  if (node.name !== 'category' || test?.kind !== 'value' || more.length > 0) return null
  const [category, ...others] = categories.filter((each) => holdsWanted(foldValue(each), test.wanted))
  const isWhole = category !== undefined && foldValue(category) === foldValue(test.wanted.text)
  return isWhole && others.length === 0 ? category : null
}

/** Its bounds are those of the list. */
function isTime(node: QueryNode): boolean {
  return node.kind === 'field' && ['after', 'before', 'on'].includes(node.name) && node.values.length === 1
}

function teamUnknown(): ProblemError {
  const reason = 'Only stored threats can be looked through for what the team has done with them.'
  return new ProblemError({
    code: 'filter_not_supported',
    detail: 'Drop “is:” and “has:note”, or search the stored days.',
    fields: [{ name: 'q', reason }],
  })
}
