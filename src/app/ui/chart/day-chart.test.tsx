import '#test/support/app/dom-gaps.ts'
import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { changePreferences } from '#app/ui/preferences.ts'
import { BY_DAY, someDays } from '#test/fixtures/chart-fixtures.ts'
import { DayChart } from './day-chart.tsx'

// Nothing has a size in jsdom, and a chart without one draws nothing.
beforeEach(() => {
  const size = new DOMRect(0, 0, 600, 224)
  const spy = vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(size)
  return () => {
    spy.mockRestore()
    localStorage.clear()
  }
})

const NAME = /^Threats by category, by day \(UTC\)\. Arrow keys go from day to day\./

const ABOUT = { title: 'Threats by category', time: 'by day (UTC)', source: 'Source: the vendor’s API' }

function show() {
  const days = someDays(null, [6, 'partial'], 8, [0, 'partial'])
  const previous = someDays([5, 'partial'], 4, null, 3)
  const series = [{ name: 'DDoS', color: 'red', counts: [null, 2, 8, 0] }]
  render(<DayChart data={{ ...BY_DAY, days, previous, series }} about={ABOUT} fileName="threats" />)
  return { user: userEvent.setup(), plot: () => screen.findByRole('application', { name: NAME }) }
}

/** How often each paint is drawn, the hindmost first. */
function marksOf(plot: Element): string[] {
  const counts = new Map<string, number>()
  for (const mark of plot.querySelectorAll('line, path, rect, circle')) {
    if (mark.closest('defs')) continue
    const paints = [mark.getAttribute('stroke'), mark.getAttribute('fill')]
    const paint = paints.find((each) => each && each !== 'none') ?? ''
    const name = paint.startsWith('url') ? 'hatch' : paint.replace(/^var\(--color-(.*)\)$/, '$1')
    const kind = mark.getAttribute('stroke-dasharray') ? `${name} dashed` : `${name} ${mark.localName}`
    counts.set(kind, (counts.get(kind) ?? 0) + (mark.getAttribute('d')?.match(/M/g)?.length ?? 1))
  }
  return [...counts].map(([kind, count]) => `${kind} ${count}`)
}

test('draws complete, incomplete, unknown and previous days differently', async () => {
  const { plot } = show()
  const drawn = await plot()
  expect(marksOf(drawn)).toEqual([
    'line line 5',
    // The ground of an unknown day.
    'pressed rect 1',
    // The bars of two days, all others of one of them, stripes over what is in part, and the foot of the empty one.
    'red rect 2',
    'series-rest rect 1',
    'hatch rect 2',
    'edge rect 1',
    // Over them the days before, broken at the unknown one, and a ring on the one in part.
    'ink dashed 2',
    'edge line 1',
    'ink circle 1',
  ])
  expect(within(drawn).getByText('Not stored')).toBeVisible()
})

test('changes between the plot and its table by a key, the focus along with them', async () => {
  const { user, plot } = show()
  const drawn = await plot()
  expect(drawn).toHaveAccessibleName(/T shows the table\.$/)
  drawn.focus()
  await user.keyboard('t')
  expect(await screen.findByRole('region', { name: 'Threats by category, by day (UTC)' })).toHaveFocus()
  expect(screen.getByRole('button', { name: 'Table' })).toHaveAttribute('aria-pressed', 'true')
  await user.keyboard('t')
  expect(drawn).toHaveFocus()
  expect(screen.queryByRole('table')).toBeNull()
})

test('leaves the key alone for readers who want no single characters', async () => {
  changePreferences({ hasLetterKeys: false })
  const { user, plot } = show()
  const drawn = await plot()
  expect(drawn).toHaveAccessibleName(/from day to day\.$/)
  drawn.focus()
  await user.keyboard('t')
  expect(screen.queryByRole('table')).toBeNull()
})
