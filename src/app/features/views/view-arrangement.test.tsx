import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { View } from '#contract/bff/view.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { FILTERED, serveViews, VIEW, VIEW_ID } from '#test/support/app/serve-views.ts'

const ARRANGEMENT = { columns: ['actor', 'victim'], density: 'compact' } as const
const ARRANGED: View = { ...VIEW, arrangement: { ...ARRANGEMENT, columns: [...ARRANGEMENT.columns] } }

test('a view brings its columns and its density, and a filter that is dropped leaves them', async () => {
  serveViews([ARRANGED])
  const { router, user } = renderPage(`/threats?view=${VIEW_ID}`)
  await waitFor(() =>
    expect(router.state.location.search).toEqual({ ...FILTERED, ...ARRANGEMENT, view: VIEW_ID }),
  )
  expect(screen.queryByText('Changed')).not.toBeInTheDocument()

  await user.click(await screen.findByRole('button', { name: 'Clear all' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ ...ARRANGEMENT, view: 'all' }))
})

test('columns of the address win over those of the view, which has changed then', async () => {
  serveViews([ARRANGED])
  const { router } = renderPage(`/threats?view=${VIEW_ID}&columns=country`)
  await waitFor(() =>
    expect(router.state.location.search).toEqual({ ...FILTERED, columns: 'country', view: VIEW_ID }),
  )
  expect(await screen.findByText('Changed')).toBeVisible()
})

test('a view is saved with the columns in use, and stays as it is when it opens', async () => {
  const sent = serveViews([])
  const { router, user } = renderPage('/threats?category=DDoS&columns=actor&columns=victim&density=compact')
  await user.click(await screen.findByRole('button', { name: 'Views' }))
  await user.click(await screen.findByRole('button', { name: 'Save as a new view…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Save view' }))
  await user.type(dialog.getByLabelText('Name'), 'Floods{Enter}')

  await waitFor(() =>
    expect(router.state.location.search).toEqual({ category: 'DDoS', ...ARRANGEMENT, view: VIEW_ID }),
  )
  expect(sent).toEqual([expect.stringContaining(`"arrangement":${JSON.stringify(ARRANGEMENT)}`)])
})

test('changed columns can be saved to the open view, also the default ones', async () => {
  const sent = serveViews([ARRANGED])
  const { user } = renderPage(`/threats?view=${VIEW_ID}&category=DDoS&country=DE`)
  expect(await screen.findByText('Changed')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() =>
    expect(sent).toEqual([
      `PUT views/${VIEW_ID} {"filter":{"category":["DDoS"],"country":["DE"]},"arrangement":{},"timeZone":"UTC"}`,
    ]),
  )
})

test('Reset closes a view that has only columns, and does not open it again', async () => {
  serveViews([{ ...ARRANGED, filter: {} }])
  const { router, user } = renderPage(`/threats?view=${VIEW_ID}`)
  await waitFor(() => expect(router.state.location.search).toEqual({ ...ARRANGEMENT, view: VIEW_ID }))
  await user.click(await screen.findByRole('button', { name: 'Display' }))
  await user.click(await screen.findByRole('button', { name: 'Reset' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ view: 'all' }))
})
