import { act, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderPart } from '#test/support/app/render-part.tsx'
import { ErrorPanel } from './error-panel.tsx'

afterEach(() => vi.useRealTimers())

const explained = (retryAt?: string) =>
  Object.assign(new Error('The API asks us to wait'), { detail: 'It resumes by itself.', retryAt })

test('shows what happened and what to do, but no internal error text', () => {
  const { rerender } = renderPart(<ErrorPanel error={explained()} />)
  expect(screen.getByRole('alert')).toHaveTextContent('The API asks us to wait')
  expect(screen.getByRole('alert')).toHaveTextContent('It resumes by itself.')
  expect(screen.queryByRole('button')).toBeNull()

  for (const error of [new TypeError('x is not a function'), 'text', null, undefined, {}]) {
    rerender(<ErrorPanel error={error} />)
    expect(screen.getByRole('alert')).toHaveTextContent('This part of the page broke')
    expect(screen.getByRole('alert')).not.toHaveTextContent('not a function')
  }
})

test('counts down and then tries by itself, once', () => {
  vi.useFakeTimers({ now: Date.parse('2026-03-10T12:00:00Z') })
  const retry = vi.fn()
  renderPart(<ErrorPanel error={explained('2026-03-10T12:00:40Z')} onRetry={retry} />)

  expect(screen.getByRole('button', { name: 'Try again' })).toBeDisabled()
  expect(screen.getByRole('alert')).toHaveTextContent('in 40 s, at 12:00 UTC')

  act(() => vi.advanceTimersByTime(39_000))
  expect(retry).not.toHaveBeenCalled()
  act(() => vi.advanceTimersByTime(60_000))
  expect(retry).toHaveBeenCalledOnce()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled()
})

test('does not hurry when the clock of the browser runs ahead', () => {
  vi.useFakeTimers({ now: Date.parse('2026-03-11T12:00:00Z') })
  const retry = vi.fn()
  renderPart(<ErrorPanel error={explained('2026-03-10T12:00:40Z')} onRetry={retry} />)

  act(() => vi.advanceTimersByTime(4000))
  expect(retry).not.toHaveBeenCalled()
  act(() => vi.advanceTimersByTime(2000))
  expect(retry).toHaveBeenCalledOnce()
})
