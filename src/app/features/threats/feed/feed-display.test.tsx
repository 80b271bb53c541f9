import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const THREATS = [
  aThreat('a-1', {
    actors: ['Pale Harbour'],
    industries: ['Energy http://evil.example', 'Rail'],
    excerpt: 'What they say they took',
  }),
  aThreat('a-2'),
]

beforeEach(() => {
  fakeBff.use(http.get('/bff/threats', () => HttpResponse.json(aThreatList(THREATS))))
})
afterEach(() => vi.unstubAllGlobals())

async function openDisplay(url = '/threats') {
  const page = renderPage(url)
  await screen.findByRole('link', { name: 'Threat a-1' })
  await page.user.click(await screen.findByRole('button', { name: 'Display' }))
  return { ...page, panel: within(screen.getByRole('dialog', { name: 'Display' })) }
}

const heads = () =>
  screen
    .getAllByRole('columnheader')
    .map((head) => (head.querySelector('button') ?? head).firstChild?.textContent)
const USUAL = ['Severity', 'Threat', 'Actor', 'Victim', 'Country', 'Category', 'Published']
const bodyHeight = () => screen.getAllByRole('rowgroup').at(-1)?.style.height

test('a column is hidden and shown again, and the usual ones leave the address empty', async () => {
  const { user, router, panel } = await openDisplay()
  await user.click(panel.getByRole('checkbox', { name: 'Actor' }))
  await waitFor(() => expect(heads().slice(1)).toEqual(USUAL.filter((name) => name !== 'Actor')))
  expect(router.state.location.search).toEqual({
    columns: ['severity', 'victim', 'country', 'category', 'published'],
  })
  expect(screen.queryByText('Pale Harbour')).toBeNull()
  expect(panel.getByRole('checkbox', { name: 'Actor' })).toHaveFocus()

  await user.click(panel.getByRole('checkbox', { name: 'Actor' }))
  await waitFor(() => expect(heads().slice(1)).toEqual(USUAL))
  expect(router.state.location.search).toEqual({})
})

test('industries are a column of their own, and no address in them is live', async () => {
  const { user, panel } = await openDisplay()
  await user.click(panel.getByRole('checkbox', { name: 'Industry' }))
  const row = (await screen.findByText(/^Energy/)).closest('tr')
  expect(row).toHaveTextContent('Energy hxxp[:]//evil[.]example +1')
  expect(heads().slice(1)).toEqual([
    'Severity',
    'Threat',
    'Actor',
    'Victim',
    'Country',
    'Category',
    'Industry',
    'Published',
  ])
})

test('the severity column keeps its chosen position, before or after the title', async () => {
  const { user, panel } = await openDisplay('/threats?columns=severity&columns=actor&columns=published')
  expect(heads().slice(1)).toEqual(['Severity', 'Threat', 'Actor', 'Published'])
  expect(screen.getByRole('table').style.getPropertyValue('--line')).toMatch(/^"check severity title actor/)
  await user.click(panel.getByRole('checkbox', { name: 'Victim' }))
  await waitFor(() =>
    expect(screen.getByRole('table').style.getPropertyValue('--stack')).toMatch(
      /^"check severity title actor published" "check severity title victim published"/,
    ),
  )
  await user.click(panel.getByRole('checkbox', { name: 'Victim' }))

  await user.click(panel.getByRole('button', { name: 'Move Severity down' }))
  await waitFor(() => expect(heads().slice(1)).toEqual(['Threat', 'Actor', 'Severity', 'Published']))
  await user.click(panel.getByRole('button', { name: 'Move Severity up' }))
  await waitFor(() => expect(heads().slice(1)).toEqual(['Severity', 'Threat', 'Actor', 'Published']))
})

test('a column is moved by keys, keeps the focus, and its position is announced', async () => {
  const { user, router, panel } = await openDisplay('/threats?columns=actor&columns=victim&columns=country')
  panel.getByRole('button', { name: 'Move Country up' }).focus()
  await user.keyboard('{Enter}{Enter}')
  await waitFor(() => expect(heads().slice(1)).toEqual(['Threat', 'Country', 'Actor', 'Victim']))
  expect(panel.getByRole('button', { name: 'Move Country up' })).toHaveFocus()
  expect(panel.getByRole('status')).toHaveTextContent('Country, 1 of 3')

  panel.getByRole('checkbox', { name: 'Country' }).focus()
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
  await waitFor(() => expect(heads().slice(1)).toEqual(['Threat', 'Actor', 'Country', 'Victim']))
  expect(panel.getByRole('checkbox', { name: 'Country' })).toHaveFocus()
  expect(router.state.location.search).toEqual({ columns: ['actor', 'country', 'victim'] })
})

test('a compact list has one line a row, and the rows in sight follow its height', async () => {
  const { user, router, panel } = await openDisplay()
  expect(bodyHeight()).toBe('112px')
  expect(screen.getByText('What they say they took')).toBeInTheDocument()

  await user.click(panel.getByRole('button', { name: 'Compact' }))
  await waitFor(() => expect(bodyHeight()).toBe('72px'))
  expect(screen.queryByText('What they say they took')).toBeNull()
  expect(heads().slice(1)).toEqual(USUAL)
  expect(router.state.location.search).toEqual({ density: 'compact' })
  await user.click(panel.getByRole('button', { name: 'Comfortable' }))
  await waitFor(() => expect(router.state.location.search).toEqual({}))
})

test('on a phone a compact row is as high as a finger', async () => {
  vi.stubGlobal('innerWidth', 390)
  renderPage('/threats?density=compact')
  await screen.findByRole('link', { name: 'Threat a-1' })
  expect(bodyHeight()).toBe('88px')
})

test('Reset leaves the filters, and no step for Back', async () => {
  const { user, router, panel } = await openDisplay('/threats?category=DDoS&columns=actor&density=compact')
  const before = router.history.length
  await user.click(panel.getByRole('button', { name: 'Reset' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ category: 'DDoS' }))
  expect(heads().slice(1)).toEqual(USUAL)
  expect(router.history.length).toBe(before)
})

test('the last column stays', async () => {
  const { panel } = await openDisplay('/threats?columns=actor')
  expect(panel.getByRole('checkbox', { name: 'Actor' })).toBeDisabled()
})

test('opens an address with unknown and repeated columns, and widths of earlier versions', async () => {
  renderPage('/threats?columns=actor.99&columns=nonsense&columns=actor&density=huge')
  await screen.findByRole('link', { name: 'Threat a-1' })
  expect(heads().slice(1)).toEqual(['Threat', 'Actor'])
  expect(screen.getByRole('table').style.getPropertyValue('--line')).toBe(
    '"check title actor" / 2.25rem minmax(25%,2.8fr) minmax(3rem,1fr)',
  )
})

test('a change of columns or density sends no request', async () => {
  const requests: string[] = []
  fakeBff.use(
    http.get('/bff/threats', ({ request }) => {
      requests.push(new URL(request.url).search)
      return HttpResponse.json(aThreatList(THREATS))
    }),
  )
  const { user, panel } = await openDisplay('/threats?density=compact')
  await user.click(panel.getByRole('checkbox', { name: 'Actor' }))
  await waitFor(() => expect(heads()).not.toContain('Actor'))
  expect(requests.every((search) => !/columns|density/.test(search))).toBe(true)
  expect(requests).toHaveLength(1)
})
