import { expect, test } from 'vitest'
import { normaliseText, normaliseTexts } from './normalise-text.ts'

test.each([
  ['words', 'LockBit 3.0 hits acme-corp.example', ' lockbit 3 0 hits acme corp example '],
  ['accents and German ß', 'Straße zu Łódź', ' strasse zu lodz '],
  ['Cyrillic', 'Тёмный Лес', ' темныи лес '],
  ['Arabic vowels', 'مُحَمَّد', ' محمد '],
  ['Hindi as whole words', 'हिन्दी भाषा', ' हिन्दी भाषा '],
  ['Korean as whole words', '한국 전력', ' 한국 전력 '],
  ['Chinese and Japanese by character', '株式会社サーバー', ' 株 式 会 社 サ ー バ ー '],
  ['half-width kana', 'ｶﾞｽ', ' ガ ス '],
  ['Thai by character, with its marks', 'ที่', ' ที่ '],
  ['Latin inside Chinese', '被LockBit攻击', ' 被 lockbit 攻 击 '],
  ['hidden characters inside a word', 'l\u200bo\u202eck\u00adbit', ' lockbit '],
  ['letters of other fonts', '𝓛𝓸𝓬𝓴 ＢＩＴ', ' lock bit '],
  ['zalgo', 'z̴̧͈a̶l̷g̵o', ' zalgo '],
  ['emoji', '🔥fire👨‍👩‍👧', ' fire '],
  ['compositions of several characters', '½ ㈱ ㎏', ' 1 2 株 kg '],
])('reads %s', (_, text, normalised) => {
  expect(normaliseText(text)).toBe(normalised)
})

test.each(['', ' ', '***', '👨‍👩‍👧', '\u0301', '\ud800', '\u0000', '\u200b\u202e'])(
  'finds no token in %j',
  (text) => {
    expect(normaliseText(text)).toBe('')
  },
)

test('reads composed and decomposed text alike', () => {
  const text = 'Ångström ガ ที่ 한국 क़'
  expect(normaliseText(text.normalize('NFD'))).toBe(normaliseText(text.normalize('NFC')))
})

test('reads marks in any order alike', () => {
  expect(normaliseText('ก\u0e38\u0e48')).toBe(normaliseText('ก\u0e48\u0e38'))
})

test('changes nothing that is normalised', () => {
  const normalised = normaliseText('Straße 株式会社 ที่ लॉकबिट لُوك')
  expect(normaliseText(normalised)).toBe(normalised)
})

test('keeps texts apart, so that no phrase reaches from one into the next', () => {
  const normalised = normaliseTexts(['lock', '', 'bit locker'])
  expect(normalised).toBe(' lock  bit locker ')
  expect(normalised).not.toContain(' lock bit ')
})

test('cuts endless runs into tokens that an index can hold', () => {
  const tokens = normaliseText(`${'x'.repeat(1000)}${'\u0e38'.repeat(1000)}`)
    .trim()
    .split(' ')
  expect(Math.max(...tokens.map((token) => token.length))).toBe(128)
})
