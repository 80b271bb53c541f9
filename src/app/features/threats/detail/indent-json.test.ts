import { expect, test } from 'vitest'
import { indentJson } from './indent-json.ts'

test('lays an object out in lines', () => {
  const value = { a: [1, { b: 'x, {y}: "z"' }], c: {}, d: [], e: null }
  expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
})

test('keeps every digit of a number', () => {
  expect(indentJson('{"id":12345678901234567890}')).toBe('{\n  "id": 12345678901234567890\n}')
})

test.each(['', 'not json', '{"a', ']]]}', '"\\'])('lays %j out without an error', (text) => {
  expect(indentJson(text)).toEqual(expect.any(String))
})
