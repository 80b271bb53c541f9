import '#test/support/app/dom-gaps.ts'
import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { changePreferences } from '#app/ui/preferences.ts'
import { someDays } from './chart-fixtures.ts'
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

const NAME = /^Threats by category\. Arrow keys go from day to day\./

function show() {
  const days = someDays(null, [6, 'partial'], 8, [0, 'partial'])
  const previous = someDays([5, 'partial'], 4, null, 3)
  const series = [{ name: 'DDoS', color: 'red', counts: [null, 2, 8, 0] }]
  render(<DayChart data={{ days, previous, series }} caption="Threats by category" fileName="threats" />)
  return { user: userEvent.setup(), plot: () => screen.findByRole('application', { name: NAME }) }
}

/** Each drawn path, the hindmost first: its paint, and how many strokes it has. */
function strokesOf(plot: Element): string[] {
  return [...plot.querySelectorAll('path')].map((path) => {
    const paint = path.getAttribute('stroke') ?? path.getAttribute('fill') ?? ''
    const name = paint.startsWith('url') ? 'hatch' : paint.replace(/^var\(--color-(.*)\)$/, '$1')
    const dashes = path.getAttribute('stroke-dasharray') ? ' dashed' : ''
    return `${name}${dashes} ${path.getAttribute('d')?.match(/M/g)?.length ?? 0}`
  })
}

test('draws what is whole, in part, not known and of before each in its own way', async () => {
  const { plot } = show()
  const drawn = await plot()
  expect(strokesOf(drawn)).toEqual([
    'line 5',
    // Behind the bars the ground of the three days before that are known, the first in part.
    'muted 3',
    'hatch 1',
    // The bars of two days, all others of one of them, the foot of the empty one, and two days in part.
    'red 2',
    'series-rest 1',
    'edge 1',
    'hatch 2',
    // Over them the edge of the ground.
    'surface 4',
    'muted 3',
    'muted dashed 1',
  ])
  expect(within(drawn).getByText('not known')).toBeVisible()
})

test('changes between the plot and its table by a key, the focus along with them', async () => {
  const { user, plot } = show()
  const drawn = await plot()
  expect(drawn).toHaveAccessibleName(/T shows the table\.$/)
  drawn.focus()
  await user.keyboard('t')
  expect(screen.getByRole('region', { name: 'Threats by category' })).toHaveFocus()
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
