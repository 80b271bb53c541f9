import { expect, test } from 'vitest'
import type { Backtest } from '#contract/bff/alert.ts'
import type { TrendDay } from '#contract/bff/trend.ts'
import { aBacktest } from '#test/fixtures/alert-fixtures.ts'
import {
  forecastInShort,
  forecastInWords,
  isNoisy,
  loudestKeyword,
  matchesInWords,
  searchedInWords,
} from './backtest-words.ts'

const expecting = (perWeek: number, low: number, high: number): Backtest =>
  aBacktest({ matches: 9, forecast: { perWeek, low, high, basedOnDays: 28 } })

test.each<[Backtest, string, string]>([
  [aBacktest(), 'Too few whole days are stored for a forecast.', '0 matches'],
  [expecting(0, 0, 0.7), 'Expect less than one a week.', '9 matches · under 1 a week'],
  [expecting(0.4, 0, 1.3), 'Expect less than one a week (usually 0 to 2).', '9 matches · under 1 a week'],
  [expecting(12.3, 7.8, 16.2), 'Expect about 12 a week (usually 7 to 17).', '9 matches · 12 a week'],
])('says what to expect', (backtest, words, short) => {
  expect(forecastInWords(backtest)).toBe(words)
  expect(forecastInShort(backtest)).toBe(short)
})

test('says in how many days, which are fewer where fewer are stored', () => {
  expect(matchesInWords(aBacktest({ matches: 1 }))).toBe('1 match in the last 30 days')
  const days = aBacktest().days.map((day, at): TrendDay => (at < 23 ? { ...day, coverage: 'unknown' } : day))
  expect(matchesInWords(aBacktest({ days }))).toBe('0 matches in the 7 days stored')
})

test.each([
  [420, true, 'Searched the full texts of 420 threats, as the vendor does for each new one.'],
  [1, false, 'Searched the list texts of 1 threat, none of them in full: the vendor may find more.'],
])('says in which texts it searched', (compared, isFullText, words) => {
  expect(searchedInWords(aBacktest({ compared, isFullText }))).toBe(words)
})

test('more than the limit is noise, the limit itself is not', () => {
  expect(isNoisy(expecting(50, 40, 60))).toBe(false)
  expect(isNoisy(expecting(50.1, 40, 60))).toBe(true)
})

test('names the one keyword that brings most of the matches', () => {
  const share = (alone: number) => ({ keyword: 'x', understoodAs: 'x', matches: alone, alone, flags: [] })
  const loudestOf = (...alone: number[]) =>
    loudestKeyword(aBacktest({ matches: 100, keywords: alone.map(share) }))
  expect(loudestOf(10, 80)).toEqual({ index: 1, alone: 80 })
  expect(loudestOf(20, 20, 20)).toBeNull()
  expect(loudestOf(100)).toBeNull()
})
