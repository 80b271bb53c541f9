export type TextRange = { start: number; end: number }

/** A run of text: to be shown as it is, or, with `sign`, a run of one character that would act unseen. */
export type TextPiece = {
  /** Offset of the piece in the text. */
  start: number
  text: string
  isHighlighted: boolean
  sign: { code: string; name: string; times: number } | null
}

// Controls but for tab and newline, format characters, half and unassigned ones, odd separators, letters without a
// shape, and a second variation selector in a row. `isAtWork` lets joiners pass where writing needs them.
const UNSEEN =
  /[[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]--[\t\n\p{Variation_Selector}]]|(?<=\p{Variation_Selector})\p{Variation_Selector}/gv

const NAMES = new Map([
  [0x0, 'null'],
  [0x8, 'backspace'],
  [0xd, 'carriage return'],
  [0x1b, 'escape'],
  [0xad, 'soft hyphen'],
  [0x61c, 'Arabic letter mark'],
  [0x200b, 'zero width space'],
  [0x200c, 'zero width non-joiner'],
  [0x200d, 'zero width joiner'],
  [0x200e, 'left-to-right mark'],
  [0x200f, 'right-to-left mark'],
  [0x2028, 'line separator'],
  [0x2029, 'paragraph separator'],
  [0x202a, 'left-to-right embedding'],
  [0x202b, 'right-to-left embedding'],
  [0x202c, 'pop directional formatting'],
  [0x202d, 'left-to-right override'],
  [0x202e, 'right-to-left override'],
  [0x2060, 'word joiner'],
  [0x2066, 'left-to-right isolate'],
  [0x2067, 'right-to-left isolate'],
  [0x2068, 'first strong isolate'],
  [0x2069, 'pop directional isolate'],
  [0xfeff, 'byte order mark'],
])

const JOINERS = new Set(['\u200c', '\u200d'])
const EMOJI_BEFORE = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u
const EMOJI_AFTER = /^\p{Extended_Pictographic}/u
const JOINING_SCRIPT =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}]/u

/** Cuts a text where what is seen would differ from what is there, and where a highlight begins or ends. The pieces joined are the text. */
export function visiblePieces(
  text: string,
  highlights: readonly TextRange[] = [],
  /** Offsets at which a piece must also end. */
  cuts: readonly number[] = [],
): TextPiece[] {
  const pieces: TextPiece[] = []
  let shown = 0
  for (const { start, end, sign } of unseenRuns(text)) {
    pieces.push(...plainPieces(text, { start: shown, end: start }, { highlights, cuts }))
    pieces.push({ start, text: text.slice(start, end), isHighlighted: covers(highlights, start), sign })
    shown = end
  }
  return [...pieces, ...plainPieces(text, { start: shown, end: text.length }, { highlights, cuts })]
}

/** The text in one line for places without markup, such as a title or an accessible name: signs in words of their own. */
export function visibleLine(text: string): string {
  const line = visiblePieces(text)
    .map((piece) => (piece.sign ? `‹${piece.sign.code}›` : piece.text))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
  return line === '' && text !== '' ? '(blank)' : line
}

function unseenRuns(text: string) {
  const runs: (TextRange & { character: string; sign: NonNullable<TextPiece['sign']> })[] = []
  for (const { 0: character, index: start } of text.matchAll(UNSEEN)) {
    if (character === '\r' && text[start + 1] === '\n') continue
    if (JOINERS.has(character) && isAtWork(text, start)) continue
    const end = start + character.length
    const last = runs.at(-1)
    if (last?.character === character && last.end === start) {
      last.end = end
      last.sign.times += 1
    } else {
      runs.push({ start, end, character, sign: { ...nameOf(character), times: 1 } })
    }
  }
  return runs
}

/** True for a joiner inside an emoji or between letters of a script that is written with it. */
function isAtWork(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 2), at)
  const after = text.slice(at + 1, at + 3)
  if (EMOJI_BEFORE.test(before) && EMOJI_AFTER.test(after)) return true
  return JOINING_SCRIPT.test(before.at(-1) ?? '') && JOINING_SCRIPT.test(after.at(0) ?? '')
}

function nameOf(character: string): { code: string; name: string } {
  const point = character.codePointAt(0) ?? 0
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
  return { code, name: NAMES.get(point) ?? kindOf(point) }
}

function kindOf(point: number): string {
  if (point < 0xa0) return 'control character'
  if (point >= 0xd800 && point < 0xe000) return 'broken character'
  if (point >= 0xe0000 && point < 0xe0080) return 'tag character'
  return 'invisible character'
}

function plainPieces(
  text: string,
  range: TextRange,
  { highlights, cuts }: { highlights: readonly TextRange[]; cuts: readonly number[] },
): TextPiece[] {
  const edges = [...highlights.flatMap(({ start, end }) => [start, end]), ...cuts].filter(
    (edge) => edge > range.start && edge < range.end,
  )
  const ends = [...new Set([range.start, ...edges, range.end])].sort((a, b) => a - b)
  return ends.slice(0, -1).map((start, index) => ({
    start,
    text: text.slice(start, ends[index + 1]),
    isHighlighted: covers(highlights, start),
    sign: null,
  }))
}

function covers(ranges: readonly TextRange[], at: number): boolean {
  return ranges.some(({ start, end }) => start <= at && at < end)
}
