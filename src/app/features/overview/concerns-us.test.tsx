import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { Concerns } from '#contract/bff/overview.ts'
import { ENTRY_ID, LIST_ID, makeMatch } from '#test/fixtures/list-fixtures.ts'
import { OVERVIEW } from '#test/fixtures/overview-fixtures.ts'
import { fakeBff, PROFILE } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const SINCE = '2026-11-20T09:12:00.000Z'
const LISTED = { id: LIST_ID, name: 'Our suppliers', kind: 'supplier', certain: 1, toConfirm: 2 } as const

function serveConcerns(concerns: Concerns | null): void {
  fakeBff.use(http.get('/bff/overview', () => HttpResponse.json({ ...OVERVIEW, concerns })))
}

test('the overview begins with what lists match, and leads to exactly these threats', async () => {
  const newest = [{ ...makeMatch(), listId: LIST_ID }]
  serveConcerns({
    since: SINCE,
    lists: [LISTED, { ...LISTED, id: ENTRY_ID, name: 'Peers', certain: 0, toConfirm: 0 }],
    newest,
  })
  renderPage('/')
  const part = within(await screen.findByRole('region', { name: 'Concerns us' }))

  const list = part.getByRole('link', { name: 'Our suppliers' })
  expect(list.closest('li')).toHaveTextContent('Our suppliers 1 certain, 2 to confirm')
  const { pathname, searchParams } = new URL(list.getAttribute('href') ?? '', 'http://localhost')
  expect([pathname, searchParams.get('q'), searchParams.get('since')]).toEqual([
    '/threats',
    'list:"Our suppliers"',
    SINCE,
  ])
  expect(part.getByRole('link', { name: 'Threat threat-1' })).toHaveAttribute('href', '/threats/threat-1')
  expect(part.getByText('Okapi Ltd').parentElement).toHaveTextContent('Okapi Ltd · to confirm')
})

test('links of lists with one name are by their ids, and each leads to its own threats', async () => {
  const named = { ...LISTED, name: 'our Suppliers', id: ENTRY_ID }
  serveConcerns({
    since: SINCE,
    lists: [LISTED, named, { ...LISTED, id: '33333333-3333-4333-8333-333333333333', name: 'Own' }],
    newest: [],
  })
  renderPage('/')

  const part = within(await screen.findByRole('region', { name: 'Concerns us' }))
  const searches = part
    .getAllByRole<HTMLAnchorElement>('link', { name: /^our suppliers$|^own$/i })
    .map(({ href }) => new URL(href).searchParams.get('q'))
  expect(searches).toEqual([`list:${LIST_ID}`, `list:${ENTRY_ID}`, 'list:Own'])
})

test('lists without a new match say so', async () => {
  serveConcerns({ since: SINCE, lists: [{ ...LISTED, certain: 0, toConfirm: 0 }], newest: [] })
  renderPage('/')

  expect(await screen.findByText('No new threat matches 1 list.')).toBeVisible()
})

test('without a list, one line leads to making one', async () => {
  serveConcerns(null)
  renderPage('/')

  expect(await screen.findByRole('link', { name: 'Make a list' })).toHaveAttribute('href', '/lists/new')
})

test('offers the welcome page in one line to a user who has not seen it', async () => {
  fakeBff.use(http.get('/bff/profile', () => HttpResponse.json({ ...PROFILE, hasSeenWelcome: false })))
  serveConcerns({ since: SINCE, lists: [LISTED], newest: [] })
  const { unmount } = renderPage('/')
  const name = 'Set your time zone and interests'
  expect(await screen.findByRole('link', { name })).toHaveAttribute('href', '/welcome')
  expect(screen.getByRole('region', { name: 'Concerns us' })).toBeVisible()
  unmount()

  serveConcerns(null)
  renderPage('/')
  expect(await screen.findByRole('link', { name })).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Make a list' })).toBeNull()
})
