import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { BacktestQuery } from '#contract/bff/alert.ts'
import { aBacktest } from '#test/fixtures/alert-fixtures.ts'
import { aLanternProfile, aLanternProfileList, anId } from '#test/fixtures/delivery-fixtures.ts'
import { aConcern, aThreat } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

beforeEach(() => sessionStorage.clear())

/** Records the requests, and answers that each keyword alone brings two matches. */
function serveBacktest(): BacktestQuery[] {
  const requests: BacktestQuery[] = []
  fakeBff.use(
    http.post<never, BacktestQuery>('/bff/alert-profiles/backtest', async ({ request }) => {
      const query = await request.json()
      requests.push(query)
      const keywords = (query.keywords ?? []).map((keyword) => ({
        keyword,
        understoodAs: keyword,
        matches: 2,
        alone: 2,
        flags: [],
      }))
      return HttpResponse.json(aBacktest({ matches: 2 * keywords.length, keywords }))
    }),
  )
  return requests
}

const field = (name: string) => screen.findByRole('textbox', { name })

test('compares the draft with the window as it is written', async () => {
  const requests = serveBacktest()
  const { user } = renderPage('/alerts/new')
  expect(await screen.findByText('Preview')).toBeVisible()

  await user.type(await field('Keywords'), 'northwind{Enter}')
  expect(await screen.findByText('2 matches in the last 30 days', { selector: 'p' })).toBeVisible()
  await user.type(await field('Keywords'), 'contoso{Enter}')
  await user.click(screen.getByRole('checkbox', { name: 'DDoS' }))
  expect(await screen.findByText('4 matches in the last 30 days', { selector: 'p' })).toBeVisible()

  await expect
    .poll(() => requests.at(-1))
    .toEqual({ keywords: ['northwind', 'contoso'], filter: { category: ['DDoS'] }, timeZone: 'UTC' })
  const rows = within(screen.getByRole('table', { name: 'Matches by keyword' })).getAllByRole('row')
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringContaining('Keyword'),
    expect.stringContaining('northwind'),
    expect.stringContaining('contoso'),
  ])
  await user.click(screen.getByRole('button', { name: 'Remove keyword 1' }))
  expect(screen.queryByRole('button', { name: 'Remove northwind' })).toBeNull()
})

test('warns of noise, and names what makes it', async () => {
  fakeBff.use(
    http.post('/bff/alert-profiles/backtest', () =>
      HttpResponse.json(
        aBacktest({
          matches: 300,
          keywords: [
            { keyword: 'northwind', understoodAs: 'northwind', matches: 10, alone: 10, flags: [] },
            { keyword: 'data', understoodAs: 'data', matches: 290, alone: 290, flags: ['common'] },
          ],
          forecast: { perWeek: 70, low: 55, high: 90, basedOnDays: 28 },
          overlaps: [{ profileId: 'p-1', name: 'Suppliers', shared: 8, matches: 12 }],
          samples: [
            {
              threat: { ...aThreat('a-1', { title: 'Data of Northwind' }), concerns: [aConcern()] },
              keywords: ['northwind', 'data'],
            },
            { threat: aThreat('a-2', { organizations: ['northwind.example'] }), keywords: ['northwind'] },
          ],
        }),
      ),
    ),
  )
  const { user } = renderPage('/alerts/new?keyword=northwind&keyword=data')

  expect(await screen.findByText(/^More than 50 a week is likely too many\./)).toBeVisible()
  expect(screen.getByText('Expect about 70 a week (usually 55 to 90).')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Suppliers' })).toHaveAttribute('href', '/alerts?profile=p-1')
  expect(screen.getByText('8 of its 12')).toBeVisible()
  const sample = screen.getByRole('link', { name: 'Data of Northwind' })
  expect([...sample.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['Data', 'Northwind'])

  expect(await screen.findByTitle('same domain okapi[.]example, list Suppliers')).toBeVisible()
  expect(screen.getByText(/^Victim/).closest('p')).toHaveTextContent('Victim: northwind[.]example')

  await user.click(screen.getByRole('button', { name: /^Remove “data”/ }))
  expect(screen.queryByRole('button', { name: 'Remove data' })).toBeNull()
})

test('an empty store and a failed comparison have different messages', async () => {
  fakeBff.use(http.post('/bff/alert-profiles/backtest', () => problem('window_empty', 503)))
  const { unmount } = renderPage('/alerts/new?keyword=northwind')
  expect(await screen.findByText('Nothing to compare with yet')).toBeVisible()
  unmount()

  fakeBff.use(http.post('/bff/alert-profiles/backtest', () => problem('internal', 500)))
  renderPage('/alerts/new?keyword=northwind')
  expect(await screen.findByRole('alert')).toHaveTextContent('Problem internal')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled())
})

test('after too many backtests, the panel shows what to do and when to retry', async () => {
  const retryAt = new Date(Date.now() + 20_000).toISOString()
  fakeBff.use(http.post('/bff/alert-profiles/backtest', () => problem('too_many_requests', 429, { retryAt })))
  renderPage('/alerts/new?keyword=northwind')
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('What to do about too_many_requests.')
  expect(alert).toHaveTextContent(/in (?:1\d|20) s/)
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDisabled()
})

test('a profile that is changed is not shown as an overlap of itself', async () => {
  const overlaps = ['Hospitals in Germany', 'Clinics'].map((name, at) => ({
    profileId: anId(at + 1),
    name,
    shared: 2,
    matches: 2,
  }))
  fakeBff.use(
    http.get('/bff/alert-profiles', () => HttpResponse.json(aLanternProfileList([aLanternProfile(1)]))),
    http.post('/bff/alert-profiles/backtest', () => HttpResponse.json(aBacktest({ matches: 3, overlaps }))),
  )
  renderPage(`/alerts/new?edit=${anId(1)}`)
  const also = within(await screen.findByRole('region', { name: 'Also matched by' }))
  expect(also.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Clinics'])
})
