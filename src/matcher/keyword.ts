import { isSpaceless, tokenise } from './tokenise.ts'

/** Tokens that must stand next to each other, in this order. */
export type Keyword = {
  /** As written. */
  text: string
  tokens: readonly string[]
  /** The tokens as `normaliseText` writes them. */
  normalised: string
}

/** Reads one word or phrase, quoted or not; null when it holds no letter and no digit. */
export function parseKeyword(text: string): Keyword | null {
  const tokens = tokenise(text).map((token) => token.text)
  return tokens.length === 0 ? null : { text, tokens, normalised: ` ${tokens.join(' ')} ` }
}

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

/** Returns true if a text, normalised by `normaliseText` or `normaliseTexts`, contains the keyword. */
export function holdsKeyword(normalised: string, keyword: Keyword): boolean {
  return normalised.includes(keyword.normalised)
}

/** A keyword as it was understood: `acme`, `"lock bit"`, `"株式会社"`. */
export function describeKeyword({ tokens }: Keyword): string {
  const [first = '', ...others] = tokens
  if (others.length === 0) return first
  let previous = first
  let description = first
  for (const token of others) {
    description += isSpaceless(previous) && isSpaceless(token) ? token : ` ${token}`
    previous = token
  }
  return `"${description}"`
}
