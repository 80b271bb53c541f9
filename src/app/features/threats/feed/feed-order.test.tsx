import type { QueryClient } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { Threat } from '#contract/bff/threat.ts'
import { aThreat, aThreatDetail, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const [low, high, later] = [
  aThreat('low', { severity: 'low' }),
  aThreat('high', { severity: 'high' }),
  aThreat('later', { severity: 'low' }),
]
let requests: URLSearchParams[] = []
const titles = () => screen.getAllByRole('link', { name: /^Threat / }).map(({ textContent }) => textContent)
const head = (name: string) => screen.getByRole('button', { name })
const sortOf = (name: string) => head(name).closest('th')?.getAttribute('aria-sort')

/** The window, which sorts by severity and is newest first otherwise. */
function serve(newestFirst: readonly Threat[], newThreats = 0) {
  const freshness = { ...aThreatList([]).freshness, change: newestFirst.length }
  fakeBff.use(
    http.get('/bff/new-threats', ({ request }) => {
      const after = Number(new URL(request.url).searchParams.get('after'))
      return HttpResponse.json({ newThreats: after < newestFirst.length ? newThreats : 0, isWhole: true })
    }),
    http.get('/bff/threats', ({ request }) => {
      const query = new URL(request.url).searchParams
      requests.push(query)
      const isTurned = query.get('order') === 'asc'
      const bySeverity = newestFirst.toSorted((a) => (a.severity === 'high' ? -1 : 1))
      const threats = query.get('sort') === 'severity' ? bySeverity : [...newestFirst]
      return HttpResponse.json(aThreatList(isTurned ? threats.toReversed() : threats, { freshness }))
    }),
    http.get('/bff/threats/:id', ({ params }) =>
      HttpResponse.json({ threat: aThreatDetail(String(params.id)), freshness }),
    ),
    http.get('/bff/threats/:id/related', () => HttpResponse.json({ groups: [], freshness })),
  )
}

/** As a live event of the store has it. */
async function lookForNew(queryClient: QueryClient) {
  for (const name of ['head', 'new']) await queryClient.refetchQueries({ queryKey: ['threats', name] })
}

beforeEach(() => {
  requests = []
  serve([low, high])
})

test('a press on a head sorts by it, the next one turns it, and the address says so', async () => {
  const { router, user } = renderPage('/threats')
  await screen.findByText('2 cases')
  expect(sortOf('Published')).toBe('descending')
  expect(screen.getByRole('table', { name: 'Threats, newest first' })).toBeInTheDocument()

  await user.click(head('Severity'))
  await waitFor(() => expect(titles()).toEqual(['Threat high', 'Threat low']))
  expect(router.state.location.href).toBe('/threats?sort=severity')
  expect([sortOf('Severity'), sortOf('Published')]).toEqual(['descending', null])
  expect(screen.getByRole('table', { name: 'Threats' })).toBeInTheDocument()

  act(() => head('Severity').focus())
  await user.keyboard('{Enter}')
  await waitFor(() => expect(titles()).toEqual(['Threat low', 'Threat high']))
  expect(router.state.location.href).toBe('/threats?sort=severity&order=asc')
  expect(sortOf('Severity')).toBe('ascending')
  expect(head('Severity')).toHaveFocus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.href).toBe('/threats?sort=severity'))

  await user.click(head('Published'))
  await waitFor(() => expect(router.state.location.href).toBe('/threats'))
  expect(sortOf('Published')).toBe('descending')
})

test('where columns have no heads, a menu has all of it', async () => {
  const { router, user } = renderPage('/threats')
  await user.click(await screen.findByRole('button', { name: 'Sort and group: Newest first' }))
  const menu = within(screen.getByRole('dialog', { name: 'Sort and group' }))

  await user.selectOptions(menu.getByLabelText('Sort by'), 'Team activity')
  await waitFor(() => expect(router.state.location.href).toBe('/threats?sort=activity'))
  await user.selectOptions(menu.getByLabelText('Order'), 'Earliest first')
  await waitFor(() => expect(router.state.location.href).toBe('/threats?sort=activity&order=asc'))
  await waitFor(() => expect(requests.some((query) => query.get('order') === 'asc')).toBe(true))
  await user.selectOptions(menu.getByLabelText('Sort by'), 'Published')
  await waitFor(() => expect(router.state.location.href).toBe('/threats'))
})

test('a threat that is opened from a sorted list has its neighbours there', async () => {
  const { user } = renderPage('/threats?sort=severity')
  await user.click(await screen.findByRole('link', { name: 'Threat high' }))
  await screen.findByText('1 of 2 loaded')

  await user.click(screen.getByRole('link', { name: 'Next threat' }))

  expect(await screen.findByRole('heading', { level: 1, name: 'Threat low' })).toBeVisible()
  expect(screen.getByText('2 of 2 loaded')).toBeVisible()
})

test('announces newer threats above a sorted list, and sorts them in after a reload', async () => {
  const { router, user } = renderPage('/threats?sort=severity')
  await screen.findByText('2 cases')
  await waitFor(() => expect(requests).toHaveLength(2))
  expect(screen.queryByRole('button', { name: /new claim/ })).not.toBeInTheDocument()

  serve([later, low, high], 1)
  await lookForNew(router.options.context.queryClient)
  const button = await screen.findByRole('button', { name: '1 new claim: reload' })
  expect(titles()).toEqual(['Threat high', 'Threat low'])
  await user.click(button)

  await waitFor(() => expect(titles()).toEqual(['Threat high', 'Threat later', 'Threat low']))
  expect(screen.queryByRole('button', { name: /new claim/ })).not.toBeInTheDocument()
})

test('a threat that moves between pages appears only at its newest position, with focus and selection', async () => {
  const [first, moved, last] = [aThreat('first'), aThreat('moved'), aThreat('last')]
  let goOn = () => {}
  const second = new Promise<void>((resolve) => {
    goOn = resolve
  })
  fakeBff.use(
    http.get('/bff/threats', async ({ request }) => {
      const isFirst = !new URL(request.url).searchParams.has('cursor')
      if (!isFirst) await second
      return HttpResponse.json(
        isFirst
          ? aThreatList([moved, first], { nextCursor: 'two' })
          : aThreatList([last, { ...moved, title: 'Threat moved, starred' }], {}),
      )
    }),
  )
  const { router, user } = renderPage('/threats?sort=activity&order=asc')
  await screen.findByRole('link', { name: 'Threat moved' })
  await user.click(screen.getByRole('checkbox', { name: 'Select row 1' }))
  act(() => screen.getByRole('link', { name: 'Threat moved' }).focus())
  goOn()

  const link = await screen.findByRole('link', { name: 'Threat moved, starred' })
  expect(titles()).toEqual(['Threat first', 'Threat last', 'Threat moved, starred'])
  expect(link).toHaveFocus()
  expect(screen.getByRole('checkbox', { name: 'Select row 3' })).toBeChecked()
  expect(router.state.location.search).toMatchObject({ selected: 'moved' })
})
