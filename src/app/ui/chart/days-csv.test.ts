import { expect, test } from 'vitest'
import { aDay, BY_DAY } from '#test/fixtures/chart-fixtures.ts'
import { daysCsv } from './days-csv.ts'

test('writes unknown values as empty cells, and no name as a formula', () => {
  const days = [aDay('2026-11-20', null), aDay('2026-11-21', 3, 'partial')]
  const previous = [aDay('2026-10-21', 0, 'partial'), aDay('2026-10-22', 7)]
  const series = [{ name: '=HYPERLINK("x")', color: 'red', counts: [null, 2] }]
  expect(
    daysCsv({ ...BY_DAY, days, previous, series })
      .replace('\ufeff', '')
      .trim()
      .split('\r\n'),
  ).toEqual([
    `Day,Coverage,All claims,"'=HYPERLINK(""x"")",All others,Day before,Coverage before,All claims before`,
    '2026-11-20,unknown,,,,2026-10-21,partial,0',
    '2026-11-21,partial,3,2,1,2026-10-22,whole,7',
  ])
})
