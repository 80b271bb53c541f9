const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The beginning of a text, at most maxLength UTF-16 units, cut between characters as a reader sees them. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const firstLeftOut = graphemes.segment(text).containing(maxLength - 1)
  return `${text.slice(0, firstLeftOut?.index).trimEnd()}…`
}
