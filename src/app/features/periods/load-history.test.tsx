import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { Coverage } from '#contract/bff/coverage.ts'
import type { HistoryLoad, HistoryLoads } from '#contract/bff/history-load.ts'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, signInAs } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const JULY = { from: '2026-07-01T00:00:00.000Z', to: '2026-08-01T00:00:00.000Z' }
const OFFER = { ...JULY, isBackTo: false, calls: 14, callsLeft: 86 }
const LOAD: HistoryLoad = {
  id: '7',
  ...JULY,
  state: 'waiting',
  requestedBy: 'ada',
  requestedAt: '2026-11-21T09:00:00.000Z',
  pages: 0,
  pagesExpected: null,
  records: 0,
  added: 0,
  reachedFrom: null,
  reason: null,
}
const PART: Coverage = {
  status: 'part',
  from: JULY.to,
  to: '2026-11-21T12:00:00.000Z',
  gaps: [{ from: null, to: JULY.to, why: 'notRead' }],
}

/** A feed that is not stored whole, before a BFF whose loads a test changes. */
function serve(answer: Partial<HistoryLoads>) {
  let loads: HistoryLoads = { loads: [], offer: null, refusal: null, ...answer }
  const requests: unknown[] = []
  const list = aThreatList([aThreat('a-1')])
  fakeBff.use(
    http.get('/bff/threats', () =>
      HttpResponse.json({ ...list, freshness: { ...list.freshness, coverage: PART } }),
    ),
    http.get('/bff/history-loads', ({ request }) => {
      requests.push(new URL(request.url).search)
      return HttpResponse.json(loads)
    }),
    http.post('/bff/history-loads', async ({ request }) => {
      requests.push(await request.json())
      loads = {
        ...loads,
        loads: [{ ...LOAD, state: 'reading', pages: 3, pagesExpected: 14, records: 300, added: 40 }],
        offer: null,
      }
      return HttpResponse.json(loads.loads[0], { status: 201 })
    }),
    http.delete('/bff/history-loads/7', () => {
      loads = {
        ...loads,
        loads: [{ ...LOAD, state: 'stopped', pages: 3, records: 300, added: 40 }],
        offer: OFFER,
      }
      requests.push('stopped')
      return new HttpResponse(null, { status: 204 })
    }),
  )
  return { requests, set: (next: Partial<HistoryLoads>) => (loads = { ...loads, ...next }) }
}

test('an analyst loads the month that is missing, sees how far it has come, and stops it', async () => {
  const { requests } = serve({ offer: OFFER })
  renderPage('/threats?from=2026-07-01')
  const user = userEvent.setup()
  const button = await screen.findByRole('button', {
    name: 'Load July 2026 (about 14 calls, 86 left today)',
  })
  button.focus()
  await user.keyboard('{Enter}')
  await screen.findByText('Loading July 2026: page 3 of about 14, 300 threats read, 40 new.')
  expect(requests).toContainEqual(JULY)
  const stop = screen.getByRole('button', { name: 'Stop' })
  expect(stop).toHaveFocus()
  await user.keyboard('{Enter}')
  await screen.findByText('Loading July 2026 was stopped. What was read stays: 300 threats read, 40 new.')
  await screen.findByRole('button', { name: /^Load July 2026/ })
})

test('a load that has failed says why', async () => {
  const failed: HistoryLoad = {
    ...LOAD,
    state: 'failed',
    reason: 'This lies outside what the plan may read.',
  }
  const { set } = serve({ offer: OFFER })
  renderPage('/threats?from=2026-07-01')
  const user = userEvent.setup()
  const button = await screen.findByRole('button', { name: /^Load July 2026/ })
  fakeBff.use(
    http.post('/bff/history-loads', () => {
      set({ loads: [failed], offer: null })
      return HttpResponse.json(failed, { status: 201 })
    }),
  )
  await user.click(button)
  await screen.findByText('July 2026 could not be loaded. This lies outside what the plan may read.')
})

test('shows how far back a list will be loaded that begins with its newest record', async () => {
  serve({ offer: { ...OFFER, isBackTo: true, calls: 40, callsLeft: null } })
  renderPage('/threats?from=2026-07-01')
  await screen.findByRole('button', { name: 'Load back to July 2026 (about 40 calls)' })
})

test('a viewer sees how far a load has come, and no button', async () => {
  signInAs('viewer')
  serve({ loads: [{ ...LOAD, state: 'reading', pages: 1 }], offer: OFFER })
  renderPage('/threats?from=2026-07-01')
  await screen.findByText('Loading July 2026: 1 page, 0 threats read, 0 new.')
  expect(screen.queryByRole('button', { name: /Stop|Load July/ })).toBeNull()
})
