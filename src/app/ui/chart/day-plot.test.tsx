import '#test/support/app/dom-gaps.ts'
import { render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { BY_DAY, someDays } from '#test/fixtures/chart-fixtures.ts'
import { type DayChartData, stackSeries } from './chart-days.ts'
import { DayPlot } from './day-plot.tsx'

/** Of the plot, between the margin above it and the days below. */
const [TOP, HEIGHT, BELOW] = [8, 192, 22]

// Nothing has a size in jsdom, and a chart without one draws nothing.
beforeEach(() => {
  const size = new DOMRect(0, 0, 600, TOP + HEIGHT + BELOW)
  const spy = vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(size)
  return () => spy.mockRestore()
})

type Drawn = {
  days?: DayChartData['days']
  previous?: DayChartData['previous']
  /** Of the only series; all in one where left out. */
  counts?: (number | null)[]
}

async function draw({ days = [], previous = [], counts }: Drawn) {
  const series = counts ? [{ name: 'DDoS', color: 'red', counts }] : []
  const data = { ...BY_DAY, days, previous, series }
  render(<DayPlot data={data} stack={stackSeries(data)} label="Threats" />)
  const plot = await screen.findByRole('application', { name: 'Threats' })
  const top = Math.max(...screen.getAllByText(/^\d+$/).map((tick) => Number(tick.textContent)))
  const numberOf = (mark: Element, name: string) => Number(mark.getAttribute(name))
  const countAt = (y: number) => ((TOP + HEIGHT - y) / HEIGHT) * top

  return {
    top,
    line: plot.querySelector('[stroke-dasharray]')?.getAttribute('d') ?? null,
    rings: [...plot.querySelectorAll('circle')].map((ring) => [
      numberOf(ring, 'cx'),
      countAt(numberOf(ring, 'cy')),
    ]),
    /** From which count to which each bar of a paint reaches. */
    spansOf: (paint: string) =>
      [...plot.querySelectorAll(`g rect[fill^="${paint}"]`)].map((bar) => {
        const y = numberOf(bar, 'y')
        return [countAt(y + numberOf(bar, 'height')), countAt(y)].map(Math.round)
      }),
    heightsOf: (paint: string) =>
      [...plot.querySelectorAll(`g rect[fill^="${paint}"]`)].map((bar) => numberOf(bar, 'height')),
  }
}

test('draws a bar for each complete day with threats, and none for other days', async () => {
  const { spansOf } = await draw({ days: someDays(20, 0, null, 2) })
  expect(spansOf('var(--color-accent)')).toEqual([
    [0, 20],
    [0, 2],
  ])
  expect([...spansOf('var(--color-edge)'), ...spansOf('url')]).toEqual([])
})

test('stacks the parts of a day, with a gap between them', async () => {
  const { spansOf, heightsOf } = await draw({ days: someDays(50, 10), counts: [30, 10] })
  expect(spansOf('red')).toEqual([
    [0, 30],
    [0, 10],
  ])
  expect(spansOf('var(--color-series-rest)')).toEqual([[30, 50]])
  expect(heightsOf('red').map(Math.round)).toEqual([0.5 * HEIGHT - 1, HEIGHT / 6 - 1])
})

test('stripes an incomplete day, also one without threats so far', async () => {
  const days = someDays(9, [40, 'partial'], [0, 'partial'])
  const { spansOf, heightsOf } = await draw({ days, counts: [9, 10, 0] })
  expect(spansOf('var(--color-series-rest)')).toEqual([[10, 40]])
  expect(heightsOf('var(--color-edge)')).toEqual([4])
  expect(spansOf('url')).toEqual([
    [0, 40],
    [0, 1],
  ])
})

test('draws the previous days as a line with gaps for unknown days and rings for incomplete ones', async () => {
  const previous = someDays([30, 'partial'], 20, null, 0, 10)
  const { top, line, rings } = await draw({ days: someDays(1, 1, 1, 1, 1), previous })
  expect(top).toBe(32)
  const points = line?.match(/[ML][\d.]+,[\d.]+/g)?.map((point) => point.replace(/(\.\d).*,/, '$1,'))
  expect(points).toEqual(['M86.2,20', 'L198.6,80', 'M423.4,200', 'L535.8,140'])
  expect(rings).toEqual([[86.2, 30]])
})

test('draws no line for previous days if there are none', async () => {
  const { line, rings } = await draw({ days: someDays(1) })
  expect([line, rings]).toEqual([null, []])
})

test.each([
  ['the parts of a day', someDays(5, 2), someDays(6), [4, 7], 7],
  ['the count of a day', someDays(9, null), someDays(6), [4, null], 9],
  ['a day before', someDays(5), someDays(6), undefined, 6],
  ['nothing', someDays(null), [], undefined, 0],
])('has room for %s', async (_, days, previous, counts, most) => {
  const { top } = await draw({ days, previous, counts })
  expect(top).toBeGreaterThanOrEqual(most)
})
