import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { delay, HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { Source } from '#contract/bff/source.ts'
import type { ThreatList } from '#contract/bff/threat-list.ts'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, SOURCE } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

/** Answers every list request alike, and keeps what was asked. */
function serve(list: ThreatList, source: Partial<Source>): URLSearchParams[] {
  const asked: URLSearchParams[] = []
  fakeBff.use(
    http.get('/bff/source', () => HttpResponse.json({ ...SOURCE, ...source })),
    http.get('/bff/threats', ({ request }) => {
      asked.push(new URL(request.url).searchParams)
      return HttpResponse.json(list)
    }),
  )
  return asked
}

const WINDOW: Source['window'] = {
  status: 'complete',
  from: '2026-10-22T00:00:00Z',
  to: '2026-11-21T12:00:00Z',
  threats: 900,
  lastReadAt: '2026-11-21T12:00:00Z',
  trouble: null,
}

/** A list as the window answers it. */
function aWindowList(members: Partial<ThreatList> = {}): ThreatList {
  const { freshness } = aThreatList([])
  const facets = {
    category: [{ value: 'DDoS', count: 12 }],
    country: [
      { value: 'FR', count: 1_234 },
      { value: 'DE', count: 7 },
    ],
    actor: [
      { value: 'Pale Harbour', count: 3 },
      { value: 'invoice\u202egpj', count: 2 },
    ],
    industry: [{ value: 'Healthcare', count: 3 }],
    severity: [{ value: 'high', count: 5 }],
  }
  return aThreatList([aThreat('a-1')], {
    answeredBy: 'window',
    facets,
    freshness: { ...freshness, covers: { from: WINDOW.from, to: WINDOW.to } },
    ...members,
  })
}

const serveWindow = (members?: Partial<ThreatList>) => serve(aWindowList(members), { window: WINDOW })

test('from the window every filter takes several values, with exact counts', async () => {
  const asked = serveWindow()
  const { router, user } = renderPage('/threats')
  await screen.findByText('1 threat')
  const country = screen.getByLabelText('Country')
  expect(
    within(country)
      .getAllByRole('option')
      .slice(0, 3)
      .map(({ textContent }) => textContent),
  ).toEqual(['Any', 'France · 1,234', 'Germany · 7'])

  await user.selectOptions(country, 'FR')
  await waitFor(() => expect(country).toHaveValue('FR'))
  await user.selectOptions(country, 'DE')
  await user.selectOptions(screen.getByLabelText('Severity'), 'high')

  await waitFor(() => expect(router.state.location.href).toBe('/threats?country=FR&country=DE&severity=high'))
  await waitFor(() => expect(asked.at(-1)?.getAll('country')).toEqual(['FR', 'DE']))
  expect(within(country).getByRole('option', { selected: true })).toHaveTextContent('2 chosen')
  await user.click(screen.getByRole('button', { name: 'Remove Country: France' }))
  await waitFor(() => expect(country).toHaveValue('DE'))
})

test('choosing a value again drops it', async () => {
  serveWindow()
  const { router, user } = renderPage('/threats?country=FR&country=DE')
  await screen.findByText('1 threat')

  await user.selectOptions(screen.getByLabelText('Country'), '✓ Germany · 7')

  await waitFor(() => expect(router.state.location.href).toBe('/threats?country=FR'))
})

test('an actor is added on Enter, and suggested by the names that occur', async () => {
  serveWindow()
  const { router, user } = renderPage('/threats')
  await screen.findByText('1 threat')
  const actor = screen.getByLabelText('Actor')

  await user.type(actor, 'Pale Harbour{Enter}Red Moth{Enter}')

  await waitFor(() => expect(router.state.location.search).toEqual({ actor: ['Pale Harbour', 'Red Moth'] }))
  expect(actor).toHaveValue('')
  const suggested = document.querySelectorAll(`datalist[id="${actor.getAttribute('list')}"] option`)
  expect([...suggested].map((option) => option.getAttribute('value'))).toEqual(['Pale Harbour'])
})

test('a picked suggestion needs no Enter', async () => {
  serveWindow()
  const { router } = renderPage('/threats')
  await screen.findByText('1 threat')

  fireEvent.input(screen.getByLabelText('Industry'), { target: { value: 'Healthcare' } })

  await waitFor(() => expect(router.state.location.href).toBe('/threats?industry=Healthcare'))
})

test('tells how a search was understood, and where the window begins', async () => {
  serveWindow({ understoodAs: '"lock bit" and acme' })
  renderPage('/threats?q="lock bit" acme')
  await screen.findByText('1 threat')

  expect(screen.getByLabelText('Search')).toHaveAccessibleDescription('understood as "lock bit" and acme')
  expect(screen.getByText(/^stored here since/)).toHaveTextContent('22 Oct 2026')
  expect(screen.getByText(/stored here begin on/)).toHaveTextContent('that costs calls')
})

test('older than the window, one value is replaced by the next', async () => {
  serve(aThreatList([aThreat('a-1')]), { window: WINDOW })
  const { router, user } = renderPage('/threats?from=2026-01-01&country=FR')
  await screen.findByText('1 threat')

  await user.selectOptions(screen.getByLabelText('Country'), 'Germany')

  await waitFor(() => expect(router.state.location.search).toMatchObject({ country: 'DE' }))
  await waitFor(() => expect(screen.getByLabelText('Severity')).toBeDisabled())
})

test('says what a press costs once little is left', async () => {
  const day = { limit: 100, remaining: 7, resetsAt: '2099-01-01T00:00:00Z' }
  const v1 = { ...SOURCE.sets.v1, budgets: { minute: null, day } }
  serve(aThreatList([aThreat('a-1')]), { sets: { ...SOURCE.sets, v1 } })
  renderPage('/threats')

  expect(await screen.findByText('Opening a threat: uses 1–2 of 7 calls left today')).toBeVisible()
  expect(screen.getByText('uses 1 of 7 calls left today')).toBeVisible()
})

test('announces demo data as soon as the first answer has', async () => {
  let isAnswered = false
  fakeBff.use(
    http.get('/bff/source', () => HttpResponse.json({ ...SOURCE, isDemo: isAnswered })),
    http.get('/bff/threats', async () => {
      await delay(100)
      isAnswered = true
      return HttpResponse.json(aThreatList([aThreat('a-1')]))
    }),
  )
  renderPage('/threats')
  expect(await screen.findByText(/^Demo data/)).toBeVisible()
})
