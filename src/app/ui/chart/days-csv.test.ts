import { expect, test } from 'vitest'
import type { ChartDay } from './chart-days.ts'
import { daysCsv } from './days-csv.ts'

const day = (date: string, count: number | null, coverage: ChartDay['coverage'] = 'whole') => ({
  date,
  count,
  coverage,
})

test('writes what is not known as nothing, and names as no formula', () => {
  const days = [day('2026-11-20', null, 'unknown'), day('2026-11-21', 3, 'partial')]
  const previous = [day('2026-10-21', 0), day('2026-10-22', 7)]
  const series = [{ name: '=HYPERLINK("x")', color: 'red', counts: [null, 2] }]
  expect(daysCsv({ days, previous, series }).replace('\ufeff', '').trim().split('\r\n')).toEqual([
    `Day,Coverage,All,"'=HYPERLINK(""x"")",All others,Day before,All before`,
    '2026-11-20,unknown,,,,2026-10-21,0',
    '2026-11-21,partial,3,2,1,2026-10-22,7',
  ])
})
