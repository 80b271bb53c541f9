import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { WhenSeen } from './when-seen.tsx'

afterEach(() => vi.unstubAllGlobals())

/** A viewport in which nothing is seen until it is scrolled. */
function stubWindow() {
  const observers = new Set<IntersectionObserverCallback>()
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: IntersectionObserverCallback) {
        observers.add(callback)
      }
      observe() {}
      disconnect() {}
    },
  )
  const scroll = (isIntersecting: boolean) =>
    act(() => {
      for (const tell of observers) Reflect.apply(tell, null, [[{ isIntersecting }]])
    })
  return { scroll }
}

function show() {
  render(<WhenSeen fallback="Waits">A chart</WhenSeen>)
}

test('draws content below the viewport when it is scrolled into view', () => {
  const { scroll } = stubWindow()
  show()
  scroll(false)
  expect(screen.getByText('Waits')).toBeInTheDocument()
  scroll(true)
  expect(screen.getByText('A chart')).toBeInTheDocument()
})

test('prints content that was never scrolled into view', () => {
  stubWindow()
  show()
  act(() => dispatchEvent(new Event('beforeprint')))
  expect(screen.getByText('A chart')).toBeInTheDocument()
})
