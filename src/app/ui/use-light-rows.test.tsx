import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderPart } from '#test/support/app/render-part.tsx'
import { useLightRows } from './use-light-rows.ts'
import { useWindowRows } from './use-window-rows.ts'

afterEach(() => vi.unstubAllGlobals())

function Rows() {
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

function scrollPageTo(...tops: number[]) {
  vi.stubGlobal('innerHeight', 600)
  for (const top of tops) {
    vi.stubGlobal('scrollY', top)
    act(() => window.dispatchEvent(new Event('scroll')))
  }
}

const lightRows = () => screen.queryAllByRole('row', { name: 'light' })
const fullRows = () => screen.queryAllByRole('row', { name: 'full' })

test('rows that pass by too fast to be read are light, and full again at rest', async () => {
  renderPart(<Rows />)

  scrollPageTo(700, 1400)
  expect(fullRows()).toEqual([])
  expect(lightRows().length).toBeGreaterThan(12)

  await waitFor(() => expect(lightRows()).toEqual([]))
  expect(fullRows().length).toBeGreaterThan(12)
})

test('rows stay full while they can be read, and after a jump', () => {
  renderPart(<Rows />)
  scrollPageTo(200, 400, 600, 800, 20_000, 20_200)
  expect(lightRows()).toEqual([])
})
