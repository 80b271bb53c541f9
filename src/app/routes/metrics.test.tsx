import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test, vi } from 'vitest'
import type { MetricsAnswer } from '#contract/bff/metrics.ts'
import type { TrendAnswer } from '#contract/bff/trend.ts'
import { METRICS } from '#test/fixtures/metrics-fixtures.ts'
import { TEAM_FIGURES } from '#test/fixtures/team-fixtures.ts'
import { aTrendAnswer } from '#test/fixtures/trend-fixtures.ts'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

function answer({
  metrics = METRICS,
  trend = aTrendAnswer(),
}: {
  metrics?: MetricsAnswer
  trend?: TrendAnswer
}) {
  fakeBff.use(
    http.get('/bff/metrics', () => HttpResponse.json(metrics)),
    http.get('/bff/trends', () => HttpResponse.json(trend)),
    http.get('/bff/team-figures', () => HttpResponse.json(TEAM_FIGURES)),
  )
}

const partNamed = (name: string) => screen.findByRole('region', { name })

test('shows all counts of the vendor, and a dash for each that it did not report', async () => {
  answer({})
  renderPage('/metrics')
  const source = await partNamed('Vendor account')
  expect(source).toHaveTextContent('Total threats12,345')
  expect(source).toHaveTextContent('Alerts triggered67')
  expect(source).toHaveTextContent('Alert profiles—')
  expect(source).toHaveTextContent('API calls this month90')
  expect(source).toHaveTextContent('Updated 09:00 UTC')
  const categories = await screen.findByRole('list', { name: 'All threats by category' })
  expect(
    within(categories)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Ransomware30', 'DDoS20'])
  expect(document.title).toBe('Metrics · Lantern')
})

test('says which plan has metrics when this one has none, and shows what the window counts', async () => {
  answer({})
  fakeBff.use(http.get('/bff/metrics', () => problem('plan_not_allowed', 403)))
  renderPage('/metrics')
  expect(await screen.findByText(/takes the Professional or the Enterprise plan/)).toBeVisible()
  expect(await screen.findAllByText(/120 claims since 23 Oct/)).toHaveLength(2)
})

test('says that a vendor has no metrics, and offers nothing that cannot help', async () => {
  answer({})
  fakeBff.use(http.get('/bff/metrics', () => problem('not_offered', 404, { set: 'earlier' })))
  renderPage('/metrics')
  expect(await screen.findByText('This vendor offers no metrics')).toBeVisible()
  expect(await screen.findAllByText(/120 claims since 23 Oct/)).toHaveLength(2)
  expect(screen.queryByRole('button', { name: /Try again|Refresh/ })).not.toBeInTheDocument()
})

test('leads from a day in a table to its threats', async () => {
  answer({})
  const { user } = renderPage('/metrics')
  const [table] = await screen.findAllByRole('button', { name: 'Table' })
  if (table) await user.click(table)
  expect(await screen.findByRole('link', { name: 'Fri 20 Nov 2026' })).toHaveAttribute(
    'href',
    expect.stringContaining('/threats?since=2026-11-20'),
  )
})

test('offers another try after a failure', async () => {
  answer({})
  fakeBff.use(http.get('/bff/metrics', () => problem('upstream_timeout', 504), { once: true }))
  const { user } = renderPage('/metrics')
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await partNamed('Vendor account')).toHaveTextContent('12,345')
})

test('Refresh requests new figures from the vendor; if that fails, the old figures stay, marked', async () => {
  answer({})
  const { user } = renderPage('/metrics')
  expect(await partNamed('Vendor account')).toHaveTextContent('12,345')
  fakeBff.use(
    http.get('/bff/metrics', ({ request }) =>
      request.headers.has('x-lantern-refresh')
        ? HttpResponse.json({ ...METRICS, metrics: { ...METRICS.metrics, totalThreats: 12_399 } })
        : HttpResponse.json(METRICS),
    ),
  )
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  await waitFor(async () => expect(await partNamed('Vendor account')).toHaveTextContent('12,399'))

  fakeBff.use(http.get('/bff/metrics', () => problem('rate_limited', 429)))
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The vendor’s figures are not current: Problem rate_limited',
  )
  expect(await partNamed('Vendor account')).toHaveTextContent('12,399')
})

test('shows the numbers of a chart in a table, with unknown values distinct from zero', async () => {
  answer({ trend: aTrendAnswer({ days: 10, count: 4, series: ['Ransomware'] }) })
  const { user } = renderPage('/metrics')
  const buttons = () => screen.getAllByRole('button', { name: 'Table' })
  await waitFor(() => expect(buttons()).toHaveLength(2))
  const [toggle] = buttons()
  if (toggle) await user.click(toggle)
  const table = await within(await partNamed('Threats by category')).findByRole('table')
  const textsOf = (day: RegExp) => within(table).getByRole('row', { name: day }).textContent
  expect(textsOf(/21 Nov 2026/)).toBe('Sat 21 Nov 2026 in part413')
  expect(textsOf(/20 Nov 2026/)).toBe('Fri 20 Nov 2026413')
  expect(textsOf(/11 Nov 2026/)).toContain('Not stored')
  expect(within(table).getByRole('columnheader', { name: 'All others' })).toBeInTheDocument()
})

test('saves the numbers of a chart as CSV', async () => {
  answer({ trend: aTrendAnswer({ series: ['=1+1'] }) })
  const saved: Blob[] = []
  URL.createObjectURL = vi.fn((blob: Blob | MediaSource) => {
    if (blob instanceof Blob) saved.push(blob)
    return 'blob:csv'
  })
  const { user } = renderPage('/metrics')
  const [button] = await screen.findAllByRole('button', { name: 'CSV' })
  if (button) await user.click(button)
  await waitFor(() => expect(saved).toHaveLength(1))
  const [head, first] = (await saved[0]?.text())?.split('\r\n') ?? []
  expect(head).toBe("Day,Coverage,All claims,'=1+1,All others,Day before,Coverage before,All claims before")
  expect(first).toBe('2026-10-23,whole,4,1,3,2026-09-23,partial,4')
})

test('says that nothing is counted yet while the window is empty', async () => {
  answer({ trend: aTrendAnswer({ days: 0 }) })
  renderPage('/metrics')
  await waitFor(() => expect(screen.getAllByText('Nothing to count yet')).toHaveLength(2))
})

test('shows once, by the heading, which threats were compared with the vendor', async () => {
  const trend = aTrendAnswer()
  const checked = { from: '2026-10-23T00:00:00Z', at: trend.freshness.fetchedAt }
  answer({ trend: { ...trend, freshness: { ...trend.freshness, checked } } })
  renderPage('/metrics')
  const note = await screen.findByText(/were compared with the vendor/)
  expect(note).toHaveTextContent(/^Updated 09:12 UTC\. Threats since 23 Oct 2026 were compared/)
  expect(within(await partNamed('Threats by category')).queryByText(/Updated/)).toBeNull()
})

test('says how old a chart is and why, when it is not current', async () => {
  const trend = aTrendAnswer()
  const staleReason = 'The vendor cannot be reached or failed.'
  answer({ trend: { ...trend, freshness: { ...trend.freshness, isStale: true, staleReason } } })
  renderPage('/metrics')
  const part = await partNamed('Threats by severity')
  const words = /not current. The vendor cannot be reached or failed./
  expect(await within(part).findByText(words)).toBeVisible()
})
