import { act, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderPart } from '#test/support/app/render-part.tsx'
import { changePreferences, readPreferences } from './preferences.ts'
import { Time } from './time.tsx'

const AT = '2026-07-01T23:30:00Z'

test('starts with UTC and the theme of the system', () => {
  expect(readPreferences()).toMatchObject({ theme: 'system', timeZone: 'UTC' })
})

test.for(['{', 'null', '{"timeZone":"Atlantis/Capital","theme":"pink"}', '{"timeZone":7}'])(
  'takes a store that holds %s for an empty one',
  (text) => {
    localStorage.setItem('lantern.preferences', text)
    expect(readPreferences()).toMatchObject({ theme: 'system', timeZone: 'UTC' })
  },
)

test('every time on the page follows the chosen zone', () => {
  renderPart(<Time at={AT} />)
  expect(screen.getByRole('time')).toHaveTextContent('1 Jul 2026, 23:30 UTC')

  act(() => changePreferences({ timeZone: 'Asia/Tokyo' }))

  expect(screen.getByRole('time')).toHaveTextContent('2 Jul 2026, 08:30 UTC+9')
  expect(screen.getByRole('time')).toHaveAttribute('datetime', '2026-07-01T23:30:00.000Z')
})

test('follows a choice made in another tab', () => {
  renderPart(<Time at={AT} show="clock" />)
  act(() => {
    localStorage.setItem('lantern.preferences', '{"theme":"dark","timeZone":"Europe/Berlin"}')
    window.dispatchEvent(new StorageEvent('storage'))
  })
  expect(screen.getByRole('time')).toHaveTextContent('01:30 UTC+2')
  expect(document.documentElement.dataset.theme).toBe('dark')
  act(() => changePreferences({ theme: 'system' }))
})

test('keeps its defaults where the browser forbids storage', () => {
  const forbidden = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  const read = vi.spyOn(Storage.prototype, 'getItem').mockImplementation(forbidden)
  const write = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(forbidden)

  expect(() => changePreferences({ theme: 'light' })).not.toThrow()
  expect(readPreferences()).toMatchObject({ theme: 'system', timeZone: 'UTC' })
  expect(document.documentElement.dataset.theme).toBe('light')
  read.mockRestore()
  write.mockRestore()
  changePreferences({ theme: 'system' })
})

test('an unreadable time is a dash, not an error', () => {
  renderPart(<Time at="yesterday-ish" />)
  expect(screen.queryByRole('time')).toBeNull()
  expect(screen.getByText('—')).toBeVisible()
})
