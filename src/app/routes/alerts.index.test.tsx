import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { AlertList, ThreatProfiles } from '#contract/bff/alert.ts'
import { anAlertList, aProfile, aProfileMatches, FRESH } from '#test/fixtures/alert-fixtures.ts'
import { aThreat } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

beforeEach(() => sessionStorage.clear())

const serveList = (list: AlertList) => fakeBff.use(http.get('/bff/alerts', () => HttpResponse.json(list)))

const cellsOf = (name: string) =>
  within(screen.getByRole('link', { name }).closest('tr') ?? document.body)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent)

test('a row shows keywords, recipients and results of a profile', async () => {
  const quiet = aProfile('p-2', {
    keywords: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
    categories: [],
    destinations: { email: [], slack: null, teams: null },
    triggeredCount: null,
    createdAt: null,
    window: null,
  })
  serveList(anAlertList([aProfile('p-1'), quiet], { unreadable: 1 }))
  renderPage('/alerts')
  await screen.findByRole('link', { name: 'Profile p-1' })

  expect(cellsOf('Profile p-1')).toEqual([
    'Profile p-1northwind"pale harbour"',
    'Vendor account',
    '1 email, Slack',
    expect.stringMatching(/^3 matches/),
    '7',
    '1 Nov 2026',
    '',
  ])
  expect(cellsOf('Profile p-2').slice(0, 6)).toEqual([
    'Profile p-2abcdef+2',
    'Vendor account',
    'None',
    'not available',
    '—',
    '—',
  ])
  expect(screen.getByText(/^2 profiles. 1 entry could not be read./)).toBeVisible()
  expect(screen.getByText('12:03 UTC')).toBeVisible()
  expect(document.title).toBe('Alerts · Lantern')
})

test('untrusted names and keywords are text', async () => {
  const texts = Object.values(NASTY_STRINGS).filter((text) => text.length < 200)
  serveList(
    anAlertList(texts.map((name, at) => aProfile(`p-${at}`, { name, keywords: [name], categories: [name] }))),
  )
  const { container } = renderPage('/alerts')
  await screen.findByText(/^\d+ profiles/)
  expect(container.querySelectorAll('script, img, form, style')).toHaveLength(0)
  expect(container.querySelectorAll('a:not([href^="/"], [href="#main"])')).toHaveLength(0)
})

test('one profile is shown in whole, with its matches and the words that did it', async () => {
  serveList(anAlertList([aProfile('p-1')]))
  const threat = aThreat('a-1', { title: 'Northwind on a leak site' })
  fakeBff.use(
    http.get('/bff/alerts/p-1/matches', () =>
      HttpResponse.json(aProfileMatches([{ threat, keywords: ['northwind'] }], { total: 120 })),
    ),
  )
  const { user, router } = renderPage('/alerts')
  await user.click(await screen.findByRole('link', { name: 'Profile p-1' }))

  const panel = await screen.findByRole('region', { name: 'Profile' })
  expect(panel).toHaveFocus()
  expect(within(panel).getByText('a…@lantern.example')).toBeVisible()
  expect(within(panel).getByText('hooks.slack.com/…ab12')).toBeVisible()
  expect(await within(panel).findByText('the newest 1 of 120')).toBeVisible()
  const match = within(panel).getByRole('link', { name: 'Northwind on a leak site' })
  expect(match).toHaveAttribute('href', '/threats/a-1')
  expect(match.querySelector('mark')).toHaveTextContent('Northwind')

  await user.click(within(panel).getByRole('link', { name: 'Close' }))
  expect(router.state.location.href).toBe('/alerts')
  expect(screen.getByRole('link', { name: 'Profile p-1' })).toHaveFocus()
})

test.each<[string, Partial<ThreatProfiles['profiles'][number]>, string]>([
  ['matches', { keywords: ['northwind'] }, 'Matches The threat contains “northwind”.'],
  ['no_keyword', {}, 'Does not match The threat contains none of its keywords.'],
  [
    'other_category',
    { keywords: ['northwind'], categories: ['DDoS'] },
    'Does not match The threat contains “northwind”, but the profile asks for the category DDoS.',
  ],
])('explains a verdict of %s', async (verdict, members, words) => {
  serveList(anAlertList([aProfile('p-1')]))
  const requests = {
    id: 'p-1',
    name: 'Profile p-1',
    verdict,
    keywords: [],
    categories: [],
    mute: 'vendor',
    ...members,
  }
  fakeBff.use(
    http.get('/bff/alerts/p-1/matches', () => HttpResponse.json(aProfileMatches([]))),
    http.get('/bff/threats/a-7/profiles', () =>
      HttpResponse.json({ profiles: [requests], vendorProblem: null, freshness: FRESH }),
    ),
  )
  const { user, router } = renderPage('/alerts?profile=p-1')
  const input = await screen.findByRole('textbox', { name: 'Threat id or address' })
  await user.type(input, 'https://lantern.example/threats{Enter}')
  expect(input).toHaveAccessibleDescription(/^Paste the id/)

  await user.clear(input)
  await user.type(input, 'https://lantern.example/threats/a-7?set=v1{Enter}')
  expect(await screen.findByText(/The threat contains/)).toHaveTextContent(words)
  expect(router.state.location.href).toBe('/alerts?profile=p-1&threat=a-7')
})

test('no profiles, a plan without profiles and a spent budget have different messages', async () => {
  serveList(anAlertList([]))
  const { unmount } = renderPage('/alerts')
  expect(await screen.findByText('No alert profiles yet')).toBeVisible()
  expect(screen.getByRole('link', { name: 'New profile' })).toHaveAttribute('href', '/alerts/new')
  unmount()

  fakeBff.use(http.get('/bff/alerts', () => problem('plan_not_allowed', 403, { set: 'earlier' })))
  const other = renderPage('/alerts')
  expect(await screen.findByText(/^The plan of the API key does not include profiles/)).toBeVisible()
  other.unmount()

  fakeBff.use(http.get('/bff/alerts', () => problem('not_offered', 404, { set: 'earlier' })))
  const without = renderPage('/alerts')
  expect(await screen.findByText(/^This vendor offers no profiles in its account/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
  without.unmount()

  const retryAt = new Date(Date.now() + 60_000).toISOString()
  fakeBff.use(http.get('/bff/alerts', () => problem('rate_limited', 429, { retryAt })))
  renderPage('/alerts')
  expect(await screen.findByText(/^Profiles of the vendor’s account are missing/)).toBeVisible()
})

test('the list can be read again; when that fails it stays, marked', async () => {
  serveList(anAlertList([aProfile('p-1')]))
  const { user } = renderPage('/alerts')
  await screen.findByRole('link', { name: 'Profile p-1' })

  fakeBff.use(
    http.get('/bff/alerts', ({ request }) =>
      request.headers.has('x-lantern-refresh')
        ? problem('upstream_unavailable', 502)
        : HttpResponse.json(anAlertList([])),
    ),
  )
  await user.click(screen.getByRole('button', { name: 'Read the list again' }))
  expect(await screen.findByText('The list is not current: Problem upstream_unavailable')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Profile p-1' })).toBeVisible()
})
