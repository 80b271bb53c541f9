import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { Ledger, LedgerDetail } from '#contract/bff/delivery-ledger.ts'
import {
  aDelivery,
  aDeliveryDetail,
  aLanternProfile,
  aLanternProfileList,
  aLedger,
  anId,
} from '#test/fixtures/delivery-fixtures.ts'
import { fakeBff, problem, signInAs } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

/** Answers each request, and returns the requests. */
function serveLedger(answer: (requests: URLSearchParams) => Ledger): string[] {
  const requests: string[] = []
  fakeBff.use(
    http.get('/bff/deliveries', ({ request }) => {
      const { searchParams } = new URL(request.url)
      requests.push(searchParams.toString())
      return HttpResponse.json(answer(searchParams))
    }),
  )
  return requests
}

function serveOne(detail: LedgerDetail) {
  fakeBff.use(http.get(`/bff/deliveries/${detail.id}`, () => HttpResponse.json(detail)))
}

test('the counts come first, and one of them filters by the address', async () => {
  const requests = serveLedger(() =>
    aLedger([
      aDelivery(1, { state: 'failed' }),
      aDelivery(2, { state: 'queued' }),
      aDelivery(3, { state: 'retrying' }),
    ]),
  )
  const { user, router } = renderPage('/alerts/deliveries?channel=slack')
  await screen.findByRole('link', { name: /1\s*failed/ })
  const states = screen.getByRole('navigation', { name: 'By state' })
  expect(
    within(states)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['1failed', '0unclear', '0held back', '2on their way', '0not sent', '0sent'])
  await user.click(within(states).getByRole('link', { name: /on their way/ }))
  expect(router.state.location.search).toMatchObject({
    channel: 'slack',
    state: ['queued', 'sending', 'retrying'],
  })
  expect(requests).toContain('state=queued&state=sending&state=retrying&channel=slack')
})

test('shows the controls above the messages before the messages are loaded', async () => {
  const answer = Promise.withResolvers<void>()
  fakeBff.use(
    http.get('/bff/deliveries', async () => {
      await answer.promise
      return HttpResponse.json(aLedger([aDelivery(1)]))
    }),
  )
  renderPage('/alerts/deliveries')
  expect(await screen.findByText('Loading the messages…')).toBeInTheDocument()
  const states = screen.getByRole('navigation', { name: 'By state' })
  expect(within(states).getAllByRole('link')).toHaveLength(6)
  const channel = screen.getByLabelText('Channel')
  answer.resolve()
  expect(await screen.findByRole('table')).toBeVisible()
  expect(screen.getByRole('navigation', { name: 'By state' })).toBe(states)
  expect(screen.getByLabelText('Channel')).toBe(channel)
})

test('one profile is chosen by name, and what the address cannot mean is left out', async () => {
  const requests = serveLedger(() => aLedger([aDelivery(1)]))
  fakeBff.use(
    http.get('/bff/alert-profiles', () => HttpResponse.json(aLanternProfileList([aLanternProfile(7)]))),
  )
  const { user, router } = renderPage('/alerts/deliveries?state=lost&channel=pigeon')
  await screen.findByRole('option', { name: 'Hospitals in Germany' })
  expect(requests[0]).toBe('')
  await user.selectOptions(screen.getByLabelText('Profile'), 'Hospitals in Germany')
  expect(router.state.location.search).toMatchObject({ profile: anId(7) })
  expect(requests).toContain(`causeId=${anId(7)}`)
})

test('an opened message shows each attempt and its threats, and is sent again at a press', async () => {
  serveLedger(() => aLedger([aDelivery(1, { state: 'failed' })]))
  const failed = aDeliveryDetail(1, { state: 'failed', code: '404', excerpt: 'no_service' })
  serveOne(failed)
  const sent: string[] = []
  fakeBff.use(
    http.post('/bff/deliveries/:id/resend', ({ params }) => {
      sent.push(String(params.id))
      return HttpResponse.json({ ...failed, state: 'queued' })
    }),
  )
  const { user } = renderPage('/alerts/deliveries')
  await user.click(await screen.findByRole('link', { name: '3 threats' }))
  const panel = await screen.findByRole('region', { name: 'Message' })
  expect(panel).toHaveFocus()
  expect(await within(panel).findByText(/no_service/)).toBeVisible()
  const titled = within(panel).getByRole('link', { name: /^Northwind Foods - 80 GB/ })
  expect(titled).toHaveAttribute('href', '/threats/t-1')
  expect(within(panel).getByRole('link', { name: 't-2' })).toHaveAttribute('href', '/threats/t-2')
  expect(panel).not.toHaveTextContent('\u202e')
  await user.click(within(panel).getByRole('button', { name: 'Send again' }))
  expect(await within(panel).findByText('Queued')).toBeVisible()
  expect(sent).toEqual([anId(1)])
  expect(within(panel).queryByRole('button', { name: 'Send again' })).toBeNull()
  await user.click(within(panel).getByRole('link', { name: 'Close' }))
  expect(screen.getByRole('link', { name: '3 threats' })).toHaveFocus()
})

test('an attempt without an answer shows what happened, and quotes no answer', async () => {
  serveLedger(() => aLedger([]))
  const attempt = { startedAt: '2026-11-21T12:00:00.000Z', endedAt: '2026-11-21T12:00:02.000Z' }
  serveOne(
    aDeliveryDetail(1, {
      state: 'failed',
      history: [
        { ...attempt, number: 1, outcome: 'refused', code: null, excerpt: 'Connection refused.' },
        { ...attempt, number: 2, outcome: 'refused', code: '307', excerpt: 'Lantern does not follow it.' },
        { ...attempt, number: 3, outcome: 'refused', code: '503', excerpt: 'busy' },
      ],
    }),
  )
  renderPage(`/alerts/deliveries?open=${anId(1)}`)
  const attempts = within(await screen.findByRole('region', { name: '3 attempts' })).getAllByRole('listitem')
  expect(attempts[0]).toHaveTextContent(/^Not sent.*Connection refused\.$/)
  expect(attempts[1]).toHaveTextContent(/^Refused307.*Lantern does not follow it\.$/)
  expect(attempts[2]).toHaveTextContent(/^Refused503.*Answer: “busy”$/)
  expect(attempts[0]).not.toHaveTextContent(/answer/i)
})

test('a message that may have arrived needs a confirmation before it is sent again', async () => {
  serveLedger(() => aLedger([aDelivery(1, { state: 'unclear' })]))
  const unclear = aDeliveryDetail(1, { state: 'unclear' })
  serveOne(unclear)
  let sent = 0
  fakeBff.use(
    http.post('/bff/deliveries/:id/resend', () => {
      sent++
      return problem('conflict', 409)
    }),
  )
  const { user } = renderPage(`/alerts/deliveries?open=${anId(1)}`)
  await user.click(await screen.findByRole('button', { name: 'Send again…' }))
  expect(await screen.findByText('It may arrive twice.')).toBeVisible()
  expect(sent).toBe(0)
  await user.click(screen.getByRole('button', { name: 'Send anyway' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Not sent again. Problem conflict.')
  expect(sent).toBe(1)
})

test('older messages come at a press', async () => {
  serveLedger((requests) =>
    requests.get('cursor') === 'older'
      ? aLedger([aDelivery(2, { kind: 'test' }), aDelivery(3, { kind: 'test', causes: [] })])
      : aLedger([aDelivery(1)], { nextCursor: 'older' }),
  )
  const { user } = renderPage('/alerts/deliveries')
  await user.click(await screen.findByRole('button', { name: 'Show older' }))
  expect(await screen.findByRole('link', { name: 'Test of Clinics' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Test message' })).toBeVisible()
  expect(screen.getByRole('link', { name: '3 threats' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull()
})

test('a vendor that sends the messages of its profiles itself is named', async () => {
  serveLedger(() => aLedger([], { isVendorSending: true }))
  renderPage('/alerts/deliveries')
  expect(await screen.findByText(/Lantern cannot list them/)).toBeVisible()
})

test.each(['dashboard', 'service'])(
  'a bookmark that names the origin %s opens its message',
  async (origin) => {
    serveLedger(() => aLedger([aDelivery(1)]))
    serveOne(aDeliveryDetail(1))
    renderPage(`/alerts/deliveries?open=${origin}.${anId(1)}`)
    const panel = await screen.findByRole('region', { name: 'Message' })
    expect(await within(panel).findByText('Delivered')).toBeVisible()
  },
)

test('viewers read who has access, and the page requests nothing', async () => {
  const requests = serveLedger(() => aLedger([]))
  signInAs('viewer')
  renderPage('/alerts/deliveries')
  expect(await screen.findByText('Deliveries are for analysts')).toBeVisible()
  expect(requests).toEqual([])
})
