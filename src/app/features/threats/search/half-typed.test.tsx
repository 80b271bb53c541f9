import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { offeredValues } from '#test/support/app/choose-value.ts'
import { holdPauses } from '#test/support/app/hold-pauses.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { searchField, serveSearches } from '#test/support/app/serve-searches.ts'

test('a half-typed value is not requested, and the last answer stays, marked as the last', async () => {
  holdPauses()
  const requests = serveSearches()
  const { router, user } = renderPage('/threats?q=acme')
  await screen.findByText('1 case')

  await user.type(searchField(), ' country:g')
  await waitFor(() => expect(searchField()).toHaveAccessibleDescription('Still showing [acme]'))
  expect(screen.getByText('1 case')).toBeVisible()
  await user.type(searchField(), 'erm')
  await user.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'acme country:DE' }))
  await waitFor(() => expect(searchField()).toHaveAccessibleDescription('Understood as [acme country:DE]'))
  expect(requests.lists).toEqual(['acme', 'acme country:DE'])
})

test.each([
  ['Enter', 'actor:pa{Enter}'],
  ['a space', 'actor:pa '],
  ['leaving the field', 'actor:pa{Shift>}{Tab}{/Shift}'],
  ['the caret elsewhere', 'actor:pa{Home}'],
  ['a code that is known', 'country:de'],
])('a value that was begun waits no longer after %s', async (_, typed) => {
  holdPauses()
  serveSearches()
  const { router, user } = renderPage('/threats')
  await screen.findByText('1 case')

  await user.click(searchField())
  await user.keyboard('actor:')
  await waitFor(() => expect(searchField()).toHaveAccessibleDescription(/^Still showing/))
  await user.clear(searchField())
  await user.keyboard(typed)
  expect(searchField()).not.toHaveAccessibleDescription(/^Still showing/)
  const q = typed.replace(/ |\{.*/, '')
  await waitFor(() => expect(router.state.location.search).toEqual({ q }))
})

test('a value that was begun is requested when the typing pauses', async () => {
  serveSearches()
  const { router, user } = renderPage('/threats')
  await screen.findByText('1 case')

  await user.type(searchField(), 'actor:pa')
  await waitFor(() =>
    expect(searchField()).toHaveAccessibleDescription('Still showing the list from before.'),
  )
  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'actor:pa' }))
  expect(searchField()).toHaveFocus()
})

test('offers every part of a threat, whatever the lists report', async () => {
  serveSearches()
  const { user } = renderPage('/threats')
  await screen.findByText('1 case')
  await user.type(searchField(), 'has:')
  await waitFor(() => expect(offeredValues()).toEqual(['comment', 'analysis', 'evidence']))
})
