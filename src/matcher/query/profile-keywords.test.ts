import { expect, test } from 'vitest'
import { readProfileWords, searchOfKeywords } from './profile-keywords.ts'

test.each([
  ['', [], []],
  ['acme', ['acme'], []],
  ['hospital OR ("data leak" OR klinik)', ['hospital', 'data leak', 'klinik'], []],
  ['(hospital OR klinik) category:DDoS,"Data breach"', ['hospital', 'klinik'], ['DDoS', 'Data breach']],
])('a profile at the vendor can have %j', (text, keywords, categories) => {
  expect(readProfileWords(text)).toEqual({ keywords, categories })
})

test.each([
  ['hospital country:DE', 'cannot filter by country'],
  ['hospital is:read', 'cannot filter by is:'],
  ['hospital -university', 'cannot exclude anything'],
  ['"lock bit" acme', 'cannot require two words at once'],
  ['bank*', 'cannot search for parts of words'],
  ['acme OR country:DE', 'cannot join words in this way'],
  ['acme category:a category:b', 'cannot require two lists of categories'],
  ['acme (', 'needs a search without faults'],
])('a profile at the vendor cannot have %j: it %s', (text, lack) => {
  expect(readProfileWords(text)).toEqual({ lack })
})

test.each([
  [['hospital', '"lock bit"', 'Lock-Bit', 'or'], 'hospital OR "lock bit" OR "Lock-Bit" OR "or"'],
  [['株式会社', '“pale harbour”'], '株式会社 OR "pale harbour"'],
])('%j as a search means the same', (keywords, text) => {
  expect(searchOfKeywords(keywords)).toBe(text)
  expect(readProfileWords(text)).toEqual({
    keywords: keywords.map((keyword) => keyword.replace(/["“”]/g, '')),
    categories: [],
  })
})
