import { act, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderPart } from '../../../test/support/app/render-part.tsx'
import { useWindowRows } from './use-window-rows.ts'

afterEach(() => vi.unstubAllGlobals())

const scrolledTo = vi.fn()

function Rows({ count = 1000 }: { count?: number }) {
  const { first, end, scrollToRow } = useWindowRows({ count, rowPx: 50, topPx: 200, coveredPx: 100 })
  return (
    <>
      <output>{`${first}-${end}`}</output>
      <button type="button" onClick={() => scrollToRow(20)}>
        Go to row 20
      </button>
    </>
  )
}

function scrollPageTo(top: number) {
  vi.stubGlobal('innerHeight', 600)
  vi.stubGlobal('scrollY', top)
  vi.stubGlobal('scrollTo', scrolledTo)
  act(() => window.dispatchEvent(new Event('scroll')))
}

test('follows the window, and never leaves the list', () => {
  renderPart(<Rows />)
  const rows = screen.getByRole('status')

  scrollPageTo(0)
  expect(rows).toHaveTextContent('0-8')
  scrollPageTo(1225)
  expect(rows).toHaveTextContent('20-33')
  scrollPageTo(1_000_000)
  expect(rows).toHaveTextContent('1000-1000')
})

test('scrolls no farther than a row needs', async () => {
  const { user } = renderPart(<Rows />)
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
