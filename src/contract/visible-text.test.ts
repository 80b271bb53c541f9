import { expect, test } from 'vitest'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { visibleLine, visiblePieces } from './visible-text.ts'

const codesIn = (text: string) => visiblePieces(text).flatMap(({ sign }) => sign?.code ?? [])

test('loses nothing of any text', () => {
  for (const text of Object.values(NASTY_STRINGS)) {
    const highlights = [
      { start: 1, end: 4 },
      { start: -5, end: 2 },
      { start: 3, end: Number.POSITIVE_INFINITY },
    ]
    expect(
      visiblePieces(text, highlights)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text)
  }
})

test.for([
  ['bidi override', 'a\u202eb', ['U+202E']],
  ['null', 'a\u0000b', ['U+0000']],
  ['tag characters', 'a\u{e0061}\u{e0062}', ['U+E0061', 'U+E0062']],
  ['half a character', 'a\ud83d', ['U+D83D']],
  ['line separator', 'a\u2028b', ['U+2028']],
  ['blank letters', '\u3164\u2800', ['U+3164', 'U+2800']],
  ['smuggled variation selectors', 'a\ufe01\ufe02\u{e0110}', ['U+FE02', 'U+E0110']],
  ['a joiner in Latin text', 'pay\u200dpal', ['U+200D']],
] as const)('makes %s visible', ([, text, codes]) => {
  expect(codesIn(text)).toEqual(codes)
})

test.for([
  ['emoji joined to one', '👩🏽\u200d🚀 ❤\ufe0f\u200d🔥'],
  ['Persian', 'می\u200cخواهم'],
  ['Devanagari', 'क्\u200dष'],
  ['a Japanese name in its own spelling', '葛\u{e0100}飾'],
  ['line breaks and tabs', 'a\r\n\tb\n'],
])('leaves %s alone', ([, text = '']) => {
  expect(codesIn(text)).toEqual([])
})

test('puts a text into one line for titles', () => {
  expect(visibleLine(' a\n\tb\u202ec ')).toBe('a b‹U+202E›c')
  expect(visibleLine(' \u3000')).toBe('(blank)')
  expect(visibleLine('')).toBe('')
})
