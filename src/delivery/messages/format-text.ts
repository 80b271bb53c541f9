import { defangProse } from '#contract/defang.ts'
import { visibleLine } from '#contract/visible-text.ts'

/** More text is read than there is room for, because spaces and marks are dropped. */
const READ_FACTOR = 4
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Third-party text as one line of a message: what acts unseen is shown, nothing in it is an address that a program would
 * make a link, and it has at most `maxLength` UTF-16 units. The markup of a channel is still to be escaped.
 */
export function formatLine(text: string, maxLength: number): string {
  const seen = visibleLine(text.slice(0, maxLength * READ_FACTOR))
  const line = seen === '' ? '(blank)' : seen.replace(STACKED_MARKS, '$1')
  for (let length = maxLength; length > 0; ) {
    // Cut first: what is cut off may leave an address behind.
    const shown = defangProse(cutGraphemes(line, length))
    if (shown.length <= maxLength) return shown
    length -= Math.max(shown.length - maxLength, 1)
  }
  return '…'
}

/** The beginning of a text, never ending within what a reader takes for one character. */
export function cutGraphemes(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const end = graphemes.segment(text).containing(maxLength - 1)?.index ?? 0
  return `${text.slice(0, end).trimEnd()}…`
}

/** `“a”, “b” and 3 more`. */
export function formatList<Item>(
  items: readonly Item[],
  maxCount: number,
  format: (item: Item) => string,
): string {
  const shown = items.slice(0, maxCount).map(format)
  const more = items.length - shown.length
  if (more > 0) return `${shown.join(', ')} and ${more} more`
  const last = shown.at(-1) ?? ''
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${last}` : last
}

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** `22 Nov 2026, 12:30 UTC`. */
export function formatTime(at: Date): string {
  return `${time.format(at)} UTC`
}
