import { expect, test } from 'vitest'
import { readPastedId } from './read-pasted-id.ts'

test.each([
  ['a-1', 'a-1'],
  ['  a-1\n', 'a-1'],
  ['https://lantern.example/threats/a-1?set=v1#top', 'a-1'],
  ['/threats/a%3A1', 'a:1'],
  ['https://lantern.example/threats', null],
  ['/threats/%E0%A4%A', '%E0%A4%A'],
  ['two words', 'two words'],
  ['..', '..'],
  ['/threats/~..', '..'],
  ['https://lantern.example/threats/a%2Fb%3Fc?set=v1', 'a/b?c'],
  ['https://evil.example/post/7', 'https://evil.example/post/7'],
  ['', null],
])('reads %j as %j', (text, id) => {
  expect(readPastedId(text)).toBe(id)
})
