import type { Selector } from '#bff/store/index/filter-rows.ts'
import { findLeaves } from '#bff/store/index/find-by-query.ts'
import type { IndexRows } from '#bff/store/index/index-rows.ts'
import { RowSet } from '#bff/store/index/row-set.ts'
import type { Selection } from '#bff/store/index/select-rows.ts'
import type { KeywordFlag, KeywordShare } from '#contract/bff/alert.ts'
import { describeKeyword, firstPositions, parseKeyword } from '#matcher/keyword.ts'
import { isSpaceless } from '#matcher/tokenise.ts'

/** A keyword in a larger share of the window than this says little. */
const COMMON_SHARE = 1 / 20
/** A share of fewer records has no meaning. */
const COMMON_LEAST_RECORDS = 40
const SHORT_MAX_LENGTH = 2

/** Describes each keyword for the author of a draft; keywords are the last words of the draft's search. */
export function describeShares(
  keywords: readonly string[],
  { rows, selection, selector }: { rows: IndexRows; selection: Selection; selector: Selector },
  compared: number,
): KeywordShare[] {
  if (keywords.length === 0 || !selector.query) return []
  const positions = firstPositions(keywords)
  const matched = RowSet.of(rows.count, selection.matched)
  const sets = findLeaves(rows, selector.query, matched)
    .slice(-keywords.length)
    .map((leaf) => leaf.rows.intersect(matched))
  const any = new RowSet(rows.count)
  const several = new RowSet(rows.count)
  for (const [at, set] of sets.entries()) {
    // A keyword that means the same as one before it finds nothing of its own.
    if (positions[at] !== at) continue
    several.unite(new RowSet(rows.count).unite(any).intersect(set))
    any.unite(set)
  }
  const found = sets.map((set) => {
    const matches = set.size
    return { matches, alone: matches - set.intersect(several).size }
  })
  return keywords.map((text, at) => {
    const keyword = parseKeyword(text)
    const isDuplicate = positions[at] !== at
    const { matches, alone } = found[positions[at] ?? at] ?? { matches: 0, alone: 0 }
    const flags: Record<KeywordFlag, boolean> = {
      unreadable: !keyword,
      duplicate: isDuplicate,
      too_short: keyword !== null && isTooShort(keyword.tokens),
      common: compared >= COMMON_LEAST_RECORDS && matches > compared * COMMON_SHARE,
      no_match: keyword !== null && matches === 0,
      idle: !isDuplicate && matches > 0 && alone === 0,
    }
    return {
      keyword: text,
      understoodAs: keyword && describeKeyword(keyword),
      matches,
      alone: isDuplicate ? 0 : alone,
      flags: FLAGS.filter((flag) => flags[flag]),
    }
  })
}

const FLAGS = ['unreadable', 'duplicate', 'too_short', 'common', 'no_match', 'idle'] as const

/** A single character, or two letters: they stand in too much that is meant otherwise. */
function isTooShort(tokens: readonly string[]): boolean {
  const [only = '', ...others] = tokens
  return others.length === 0 && (isSpaceless(only) || Array.from(only).length <= SHORT_MAX_LENGTH)
}
