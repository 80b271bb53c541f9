import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderPart } from '#test/support/app/render-part.tsx'
import { useLightRows, useWindowRows } from './use-window-rows.ts'

beforeEach(() => {
  // The list begins 200 pixels below the page's top.
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(
    () => new DOMRect(0, 200 - scrollY),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const scrolledTo = vi.fn()

function Rows({ count = 1000, pinned = -1 }: { count?: number; pinned?: number }) {
  const rows = useWindowRows({ count, rowRem: 3.125, coveredPx: 100, pinned })
  const { first, end, drawn, topOf, scrollToRow } = rows
  return (
    <>
      <table>
        <tbody ref={rows.body} style={rows.bodyStyle} aria-label="drawn">
          {drawn.map((index) => (
            <tr key={index} style={{ top: topOf(index) ?? 'auto' }} aria-rowindex={index} />
          ))}
        </tbody>
      </table>
      <output>{`${first}-${end}`}</output>
      <button type="button" onClick={() => scrollToRow(20)}>
        Go to row 20
      </button>
    </>
  )
}

/** Once it is known where the list begins. */
async function renderRows(pinned?: number) {
  const part = renderPart(<Rows pinned={pinned} />)
  await act(async () => {})
  return part
}

function scrollPageTo(...tops: number[]) {
  vi.stubGlobal('innerHeight', 600)
  vi.stubGlobal('scrollTo', scrolledTo)
  for (const top of tops) {
    vi.stubGlobal('scrollY', top)
    act(() => window.dispatchEvent(new Event('scroll')))
  }
}

test('follows the window, and never leaves the list', async () => {
  await renderRows()
  const rows = screen.getByRole('status')

  scrollPageTo(0)
  expect(rows).toHaveTextContent('0-8')
  scrollPageTo(1225)
  expect(rows).toHaveTextContent('20-33')
  scrollPageTo(1_000_000)
  expect(rows).toHaveTextContent('1000-1000')
})

test('scrolls no farther than a row needs', async () => {
  const { user } = await renderRows()
  const press = () => user.click(screen.getByRole('button'))

  scrollPageTo(900)
  await press()
  expect(scrolledTo).not.toHaveBeenCalled()

  scrollPageTo(0)
  await press()
  expect(scrolledTo).toHaveBeenLastCalledWith({ top: 700 })

  scrollPageTo(5000)
  await press()
  expect(scrolledTo).toHaveBeenLastCalledWith({ top: 1100 })
})

test('draws some rows around those in sight, below a space for those before them', async () => {
  await renderRows()
  scrollPageTo(1225)
  const drawn = screen.getAllByRole('row').map((row) => Number(row.getAttribute('aria-rowindex')))
  expect(drawn.at(0)).toBe(12)
  expect(drawn.at(-1)).toBe(40)
  expect(screen.getByLabelText('drawn')).toHaveStyle({ height: '50000px', paddingTop: '600px' })
})

test('keeps the focused row rendered at its position, at any scroll distance', async () => {
  await renderRows(3)
  const pinned = () => screen.getAllByRole('row')[0]
  scrollPageTo(1225)
  expect(pinned()).toHaveAttribute('aria-rowindex', '3')
  expect(pinned()).toHaveStyle({ top: '150px' })
  scrollPageTo(0)
  expect(screen.getAllByRole('row')[3]).toHaveStyle({ top: 'auto' })
})

function LightRows() {
  const rows = useWindowRows({ count: 1000, rowRem: 3.125, coveredPx: 0, pinned: -1 })
  const isLight = useLightRows(rows)
  return (
    <table>
      <tbody ref={rows.body}>
        {rows.drawn.map((index) => (
          <tr key={index} aria-label={isLight(index) ? 'light' : 'full'} />
        ))}
      </tbody>
    </table>
  )
}

const lightRows = () => screen.queryAllByRole('row', { name: 'light' })
const fullRows = () => screen.queryAllByRole('row', { name: 'full' })

test('draws simple rows during fast scrolling, and full rows when it stops', async () => {
  renderPart(<LightRows />)

  scrollPageTo(700, 1400)
  expect(fullRows()).toEqual([])
  expect(lightRows().length).toBeGreaterThan(12)

  await waitFor(() => expect(lightRows()).toEqual([]))
  expect(fullRows().length).toBeGreaterThan(12)
})

test('rows stay full while they can be read, and after a jump', () => {
  renderPart(<LightRows />)
  scrollPageTo(200, 400, 600, 800, 20_000, 20_200)
  expect(lightRows()).toEqual([])
})
