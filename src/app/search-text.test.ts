import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from './search-text.ts'

test('reads every value as text, and a repeated name as a list', () => {
  expect(parseSearch('?q=007&country=DE&country=FR&set=true')).toEqual({
    q: '007',
    country: ['DE', 'FR'],
    set: 'true',
  })
})

test('survives names and bytes that mean trouble', () => {
  expect(Object.keys(parseSearch('?__proto__=1&constructor=2&%E0%A4%A=3&=&&='))).toContain('__proto__')
  expect(({} as Record<string, unknown>)['1']).toBeUndefined()
})

test('writes what it reads', () => {
  const search = { q: 'a b&c=d', country: ['DE', 'FR'], none: undefined, empty: [] }
  const text = stringifySearch(search)
  expect(text).toBe('?q=a+b%26c%3Dd&country=DE&country=FR')
  expect(parseSearch(text)).toEqual({ q: 'a b&c=d', country: ['DE', 'FR'] })
  expect(stringifySearch({})).toBe('')
})
