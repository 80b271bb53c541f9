import { expect, test } from 'vitest'
import { createToken, isToken } from './key-token.ts'

test('makes tokens that scanners and people recognise, each a new one', () => {
  const tokens = Array.from({ length: 100 }, createToken)
  for (const token of tokens) expect(token).toMatch(/^ltn_[0-9A-Za-z]{49}$/)
  expect(new Set(tokens).size).toBe(100)
  expect(tokens.every(isToken)).toBe(true)
})

test('knows a mistyped token by its checksum', () => {
  const token = createToken()
  for (let index = 'ltn_'.length; index < token.length; index++) {
    const other = token[index] === 'x' ? 'y' : 'x'
    expect(isToken(`${token.slice(0, index)}${other}${token.slice(index + 1)}`)).toBe(false)
  }
})

test.each(['', 'ltn_', 'hello', `ltn_${'a'.repeat(48)}`, `ltn_${'é'.repeat(49)}`, `xyz_${'0'.repeat(49)}`])(
  'takes %s for no token',
  (text) => {
    expect(isToken(text)).toBe(false)
  },
)
