import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { CALL_LEDGER } from '#test/fixtures/settings-fixtures.ts'
import { catchSavedFiles } from '#test/support/app/catch-saved-files.ts'
import { fakeBff, signInAs } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

test('shows the time, route, reason, user and result of each call', async () => {
  fakeBff.use(http.get('/bff/calls', () => HttpResponse.json(CALL_LEDGER)))
  renderPage('/settings/calls')
  const calls = await screen.findByRole('region', { name: 'Newest calls' })

  const cellsOf = (row: HTMLElement | undefined) =>
    row &&
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent)
  const rows = within(calls).getAllByRole('row')
  expect(cellsOf(rows.at(1))).toEqual([
    '21 Nov 2026, 09:30 UTC',
    'threats',
    'v1',
    'Requested by a person',
    'ada@lantern.example',
    'Answered',
    '200',
    '1,234 ms',
  ])
  expect(cellsOf(rows.at(2))?.slice(3)).toEqual([
    'Sync with the vendor',
    '—',
    'Not made, to save calls',
    '—',
    '—',
  ])
  expect(screen.getByRole('heading', { level: 1, name: 'API calls' })).toBeVisible()
  expect(screen.getByText(/^Updated/)).toBeVisible()
})

test('draws the day, with a table of the same numbers', async () => {
  fakeBff.use(http.get('/bff/calls', () => HttpResponse.json(CALL_LEDGER)))
  const { user } = renderPage('/settings/calls')
  expect(await screen.findByText('14 calls today, by hour (UTC)')).toBeVisible()

  await user.click(screen.getByText('The same numbers as a table'))

  const hours = screen.getByRole('table', { name: 'Calls of the day by hour' })
  expect(within(hours).getByRole('row', { name: '00:00 11 3 14' })).toBeVisible()
  expect(within(hours).getAllByRole('row')).toHaveLength(new Date().getUTCHours() + 2)
})

test('saves the calls as a file', async () => {
  const saved = catchSavedFiles()
  fakeBff.use(http.get('/bff/calls', () => HttpResponse.json(CALL_LEDGER)))
  const { user } = renderPage('/settings/calls')
  await user.click(await screen.findByRole('button', { name: 'Export' }))
  const dialog = await screen.findByRole('dialog', { name: 'Export calls' })
  await user.click(within(dialog).getByRole('button', { name: 'Export' }))

  expect(saved.at(0)?.name).toMatch(/^lantern-calls-\d{8}T\d{4}Z\.csv$/)
  expect((await saved.at(0)?.file.text())?.split('\r\n')).toEqual([
    'When (UTC),Route,API,Why,Requested by,Outcome,Status,Took (ms)',
    '2026-11-21T09:30:00Z,threats,v1,Requested by a person,ada@lantern.example,Answered,200,1234',
    '2026-11-21T09:29:00Z,feed,earlier,Sync with the vendor,,"Not made, to save calls",,',
    '',
  ])
})

test('admins come here from the calls left; others see no link', async () => {
  signInAs('admin')
  fakeBff.use(http.get('/bff/calls', () => HttpResponse.json(CALL_LEDGER)))
  const { router, user, unmount } = renderPage('/nowhere')
  await user.click(await screen.findByRole('button', { name: 'Calls' }))
  await user.click(await screen.findByRole('link', { name: 'All API calls' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'API calls' })).toBeVisible()
  expect(router.state.location.pathname).toBe('/settings/calls')
  unmount()

  signInAs('analyst')
  const other = renderPage('/nowhere')
  await other.user.click(await screen.findByRole('button', { name: 'Calls' }))
  await screen.findByText('Shared by everyone who uses this Lantern.')
  expect(screen.queryByRole('link', { name: 'All API calls' })).toBeNull()
})
