const words = new Intl.Segmenter('en', { granularity: 'word' })

/**
 * The beginning of a text, at most maxLength UTF-16 units, cut between words: half of one would be found as a word that
 * nobody wrote. Of a text that is one long word nothing is left.
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const firstLeftOut = words.segment(text).containing(maxLength - 1)
  const whole = text.slice(0, firstLeftOut?.index)
  // If a space is near, text between spaces is not cut: AT&T, 10.0.0.1.
  return `${whole.replace(/(?<=\s)\S{0,40}$/u, '').trimEnd()}…`
}
