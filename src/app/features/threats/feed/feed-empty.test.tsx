import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { ConditionAnswer } from '#contract/bff/condition.ts'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { searchField } from '#test/support/app/serve-searches.ts'

/** Stored threats of which none matches a search with a value or filter named in `empty`; conditions as given. */
function serveEmpty(conditions: ConditionAnswer['conditions'], { more = 0, empty = 'qilni' } = {}) {
  const requests: string[] = []
  fakeBff.use(
    http.get('/bff/threats', ({ request }) => {
      const threats = decodeURIComponent(request.url).includes(empty) ? [] : [aThreat('a-1')]
      return HttpResponse.json(aThreatList(threats, { total: threats.length }))
    }),
    http.get('/bff/conditions', ({ request }) => {
      requests.push(decodeURIComponent(new URL(request.url).search))
      return HttpResponse.json({ conditions, more, isExact: true })
    }),
  )
  return requests
}

const conditions = () =>
  within(screen.getByRole('list', { name: 'Conditions' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

test('an empty list counts each condition alone, and replaces a value that nothing has in one press', async () => {
  const requests = serveEmpty([
    { name: 'q', part: 0, count: 192, nearest: [] },
    {
      name: 'q',
      part: 1,
      count: 0,
      nearest: [
        {
          field: 'actor',
          value: 'qilni',
          instead: 'Qilin',
          count: 152,
          place: { from: 17, to: 22, fix: 'Qilin' },
        },
      ],
    },
    { name: 'severity', count: 1_234, nearest: [] },
  ])
  const { router, user } = renderPage('/threats?q=country:DE actor:qilni&severity=high&severity=critical')
  await screen.findByText('No threats match')

  await waitFor(() =>
    expect(conditions()).toEqual([
      'Country: Germany192 threatsRemove this filter',
      'Actor: qilni0 threatsRemove this filterNo threat has “qilni”. Did you mean this?Qilin (152)',
      'Severity: high or critical1,234 threatsRemove this filter',
    ]),
  )
  expect(requests).toEqual(['?severity=high&severity=critical&q=country:DE+actor:qilni&timeZone=UTC'])

  await user.click(screen.getByRole('button', { name: 'Qilin (152)' }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ q: 'country:DE actor:Qilin' }))
  expect(searchField()).toHaveValue('country:DE actor:Qilin')
  await screen.findByText('1 case')
})

test('removes a filter with all of its values, or replaces one of them', async () => {
  const nearest = [{ field: 'actor' as const, value: 'qilni', instead: 'Qilin', count: 152 }]
  serveEmpty([
    { name: 'country', count: 192, nearest: [] },
    { name: 'actor', count: 9, nearest },
  ])
  const { router, user } = renderPage('/threats?country=DE&country=FR&actor=akira&actor=qilni')

  await user.click(
    await screen.findByRole('button', { name: 'Remove this filter: Country: Germany or France' }),
  )
  await waitFor(() => expect(router.state.location.search).toEqual({ actor: ['akira', 'qilni'] }))
  await user.click(await screen.findByRole('button', { name: 'Qilin (152)' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ actor: ['akira', 'Qilin'] }))
})

test('says so where each condition matches threats and none matches all', async () => {
  serveEmpty(
    [
      { name: 'q', part: 0, count: 3, nearest: [] },
      { name: 'q', part: 1, count: 5, nearest: [] },
      { name: 'country', count: 1, nearest: [] },
    ],
    { more: 2, empty: 'acme' },
  )
  const { user } = renderPage('/threats?q=acme bank')
  await screen.findByText(/^Each condition matches threats, but no threat matches all of them/)
  expect(conditions()).toEqual([
    'Search: acme3 threatsRemove this filter',
    'Search: bank5 threatsRemove this filter',
  ])
  expect(screen.getByText('The first 3 conditions are counted.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Remove this filter: Search: acme' }))
  await screen.findByText('1 case')
})

test('days that exclude each other as of today are named with the fix', async () => {
  const ago = Math.ceil((Date.now() - Date.UTC(2026, 10, 1)) / 86_400_000) + 1
  serveEmpty([], { empty: 'after:2026-11-20' })
  const { router, user } = renderPage(`/threats?q=after:2026-11-20 before:${ago}d`)
  await screen.findByText(`No threat can match both “after:2026-11-20” and “before:${ago}d”.`)
  await user.click(screen.getByRole('button', { name: `Write after:${ago}d before:2026-11-20` }))
  await waitFor(() => expect(router.state.location.search).toEqual({ q: `after:${ago}d before:2026-11-20` }))
})

test('marks and clips untrusted text within a condition', async () => {
  const untrusted = `\u202e${'x'.repeat(600)}`
  serveEmpty(
    [
      {
        name: 'actor',
        count: 0,
        nearest: [{ field: 'actor', value: untrusted, instead: `\u202eevil ${'y'.repeat(300)}`, count: 1 }],
      },
    ],
    { empty: 'xxx' },
  )
  renderPage(`/threats?${new URLSearchParams({ actor: untrusted.slice(0, 500) })}`)
  await screen.findByText(/Did you mean this/)
  expect(document.body.textContent).not.toContain('\u202e')
  expect(document.body.textContent).not.toContain('y'.repeat(120))
})

test.each([
  ['overdue', 'No case is overdue'],
  ['mine', 'You own no open case'],
  ['unread', 'Everything is read'],
])('an empty list of %s cases says what that means, and leads back to all', async (triage, title) => {
  serveEmpty([], { empty: triage })
  const { router, user } = renderPage(`/threats?triage=${triage}`)
  expect(await screen.findByText(title)).toBeVisible()
  expect(screen.queryByRole('list', { name: 'Conditions' })).toBeNull()

  await user.click(screen.getByRole('button', { name: 'Show all threats' }))
  expect(await screen.findByRole('link', { name: 'Threat a-1' })).toBeVisible()
  expect(router.state.location.search).not.toHaveProperty('triage')
})

test('an empty list of own cases with another filter shows the count of each condition', async () => {
  serveEmpty([{ name: 'triage', count: 2, nearest: [] }], { empty: 'mine' })
  renderPage('/threats?triage=mine&severity=high')
  expect(await screen.findByText('No threats match')).toBeVisible()
  expect(screen.getByRole('list', { name: 'Conditions' })).toBeVisible()
})
