import { tokenise } from './tokenise.ts'

/**
 * A text as its tokens, each between single spaces: ` lock bit `; empty when it has none. A keyword stands in a text
 * exactly when the keyword's normalised form is part of the text's, which SQL can find out with `like` as well.
 */
export function normaliseText(text: string): string {
  const tokens = tokenise(text)
  return tokens.length === 0 ? '' : ` ${tokens.map((token) => token.text).join(' ')} `
}

/** Several texts in one. Two spaces part them, so that no phrase reaches from one into the next. */
export function normaliseTexts(texts: readonly string[]): string {
  return texts.map(normaliseText).join('')
}

/** A value as it is compared. One of symbols alone stands for itself. */
export function foldValue(value: string): string {
  return normaliseText(value).trim() || value
}
