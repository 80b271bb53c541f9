import { expect, test } from 'vitest'
import type { Trend } from '#contract/bff/trend.ts'
import { thirtyDaysUpTo } from '#test/fixtures/days.ts'
import { trendChartData } from './trend-chart-data.ts'

const trendOf = (...values: string[]): Trend => ({
  period: thirtyDaysUpTo('2026-11-21'),
  days: [],
  previous: [],
  series: values.map((value) => ({ value, counts: [] })),
  total: 0,
  compared: null,
})

test('gives a category its own colour, however frequent it is', () => {
  const colorOf = (trend: Trend, name: string) =>
    trendChartData(trend, 'category').series.find((series) => series.name === name)?.color
  expect(colorOf(trendOf('DDoS', 'Leak', 'Ransomware'), 'DDoS')).toBe(
    colorOf(trendOf('Other', 'DDoS'), 'DDoS'),
  )
})

test('gives no two values one colour', () => {
  const values = [
    'Leak',
    'Ransomware',
    'Data Breach',
    'Initial Access',
    'DDoS',
    'Other',
    'Defacement',
    'Fraud',
  ]
  const colors = trendChartData(trendOf(...values), 'category').series.map(({ color }) => color)
  expect(new Set(colors).size).toBe(values.length)
})

test('puts the worst severity at the foot, and what is none at the top', () => {
  const { series } = trendChartData(trendOf('low', 'unrated', 'critical'), 'severity')
  expect(series.map(({ name }) => name)).toEqual(['Critical', 'Low', 'Unrated'])
})

test('calls a country by its name', () => {
  expect(trendChartData(trendOf('DE'), 'country').series).toMatchObject([{ name: 'Germany' }])
})

test.each([
  ['cases', 2, [1, 1], undefined],
  ['cases', 2, [2, 1], 'A case counts in each of its categories.'],
  ['claims', undefined, [2, 1], undefined],
  ['claims', undefined, [2, 2], 'A claim counts in each of its categories.'],
] as const)(
  'says where %s count more than once, and draws no line of whole ones',
  (_, cases, counts, overlap) => {
    const day = {
      date: '2026-11-20',
      from: '2026-11-20T00:00:00.000Z',
      to: '2026-11-21T00:00:00.000Z',
      count: 3,
      ...(cases && { cases }),
      coverage: 'whole',
    } as const
    const data = trendChartData(
      {
        ...trendOf(),
        days: [day],
        previous: [day],
        ...(cases && { cases }),
        series: counts.map((count, at) => ({
          value: `${at}`,
          counts: [count],
          ...(cases && { caseCounts: [count] }),
        })),
      },
      'category',
    )
    expect(data.overlap).toBe(overlap)
    expect(data.previous).toHaveLength(overlap ? 0 : 1)
  },
)
