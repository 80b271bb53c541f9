import type { KeywordFlag, KeywordShare } from '#contract/bff/alert.ts'
import { describeKeyword, parseKeyword } from '#matcher/keyword.ts'
import { isSpaceless } from '#matcher/tokenise.ts'

/** A keyword in a larger share of the window than this says little. */
const COMMON_SHARE = 1 / 20
/** Of fewer records a share says nothing. */
const COMMON_LEAST_RECORDS = 40
const SHORT_MAX_LENGTH = 2

/** How many records one keyword matches, and how many of them no other keyword of the draft does. */
export type Found = { matches: number; alone: number }

/** For each keyword the position of the first one that means the same; its own where it is that one. */
export function firstPositions(keywords: readonly string[]): number[] {
  const positions = new Map<string, number>()
  return keywords.map((text, at) => {
    const normalised = parseKeyword(text)?.normalised
    if (normalised === undefined) return at
    const first = positions.get(normalised) ?? at
    positions.set(normalised, first)
    return first
  })
}

/** What the author of a draft should know of each keyword. */
export function describeShares(
  keywords: readonly string[],
  found: readonly Found[],
  compared: number,
): KeywordShare[] {
  const positions = firstPositions(keywords)
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
