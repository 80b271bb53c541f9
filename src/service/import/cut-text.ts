const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The beginning of a text, at most maxLength UTF-16 units, cut between characters as a reader sees them. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const start = text.slice(0, maxLength)
  const lastCharacter = graphemes.segment(start).containing(maxLength - 1)
  return `${start.slice(0, lastCharacter?.index ?? maxLength - 1).trimEnd()}…`
}
