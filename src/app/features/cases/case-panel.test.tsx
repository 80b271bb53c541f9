import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { VictimCase } from '#contract/bff/case.ts'
import { aThreat, aThreatDetail } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, problem, signInAs } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { serveThreat } from '#test/support/app/serve-threat.ts'

const CASE: VictimCase = {
  id: '12',
  claims: [
    {
      threat: aThreat('b-2', { title: 'Sold: Northwind', actors: ['Grey Broker'] }),
      reason: { threatId: 'a-1', rule: 'domain', text: 'northwind.example' },
    },
    { threat: aThreat('a-1'), reason: null },
  ],
  claimCount: 2,
  actorCount: 2,
  revision: 6,
  offers: [
    {
      threat: aThreat('c-3', { title: 'North Wind' }),
      reason: { threatId: 'b-2', rule: 'similar', text: 'North Wind' },
    },
  ],
}

/** Serves a threat with its case, and records what is sent. */
function serveCase(found: VictimCase | null = CASE, isComparing = false): object[] {
  const sent: object[] = []
  const take = async (request: Request) => {
    const body: unknown = await request.json()
    sent.push({ path: new URL(request.url).pathname, body })
  }
  serveThreat(aThreatDetail('a-1'))
  fakeBff.use(
    http.get('/bff/threats/:id/case', () => HttpResponse.json({ found, isComparing })),
    http.post('/bff/cases', async ({ request }) => {
      await take(request)
      return HttpResponse.json({ undoId: '7' })
    }),
    http.post('/bff/cases/undo', async ({ request }) => {
      await take(request)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  return sent
}

const panel = async () => within(await screen.findByRole('region', { name: 'Same victim' }))

test('shows the other claims of a victim, by whom, and why they belong together', async () => {
  serveCase()
  renderPage('/threats/a-1')
  const shown = await panel()

  expect(shown.getByText('Case 12 · 2 claims · 2 groups')).toBeVisible()
  const [sold, own] = shown.getAllByRole('listitem')
  expect(within(sold ?? document.body).getByRole('link', { name: 'Sold: Northwind' })).toHaveAttribute(
    'href',
    '/threats/b-2',
  )
  expect(sold).toHaveTextContent('Grey Broker')
  expect(sold).toHaveTextContent('same domain northwind[.]example')
  expect(own).toHaveTextContent(/This claim.*the first claim/)
  expect(own).toHaveAttribute('aria-current', 'true')
})

test('takes a claim out of its case, and back', async () => {
  const sent = serveCase()
  const { user } = renderPage('/threats/a-1')
  const shown = await panel()
  await user.click(shown.getByRole('button', { name: 'Remove from case' }))
  await user.click(await shown.findByRole('button', { name: 'Undo' }))

  expect(await shown.findByText('Undone.')).toBeVisible()
  expect(sent).toEqual([
    { path: '/bff/cases', body: { action: 'split', threatId: 'a-1', revision: 6 } },
    { path: '/bff/cases/undo', body: { undoId: '7' } },
  ])
})

test('by keyboard, the focus goes to Undo when the pressed button leaves, and then to the heading', async () => {
  serveCase()
  const { user } = renderPage('/threats/a-1')
  const shown = await panel()
  const single = { ...CASE, claims: CASE.claims.slice(1), claimCount: 1, actorCount: 1, offers: [] }
  fakeBff.use(
    http.get('/bff/threats/:id/case', () => HttpResponse.json({ found: single, isComparing: false })),
  )
  shown.getByRole('button', { name: 'Remove from case' }).focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(shown.getByRole('button', { name: 'Undo' })).toHaveFocus())
  fakeBff.use(http.get('/bff/threats/:id/case', () => HttpResponse.json({ found: CASE, isComparing: false })))
  await user.keyboard('{Enter}')
  await waitFor(() => expect(shown.getByRole('heading', { name: 'Same victim' })).toHaveFocus())
})

test('offers likely claims, which a user joins or keeps apart', async () => {
  const sent = serveCase()
  const { user } = renderPage('/threats/a-1')
  const shown = await panel()
  await user.click(shown.getByRole('button', { name: 'Same victim: North Wind' }))
  expect(await shown.findByText('Joined to one case.')).toBeVisible()
  await user.click(shown.getByRole('button', { name: 'Another victim: North Wind' }))
  expect(await shown.findByText('Kept apart.')).toBeVisible()

  const pair = { threatId: 'b-2', otherId: 'c-3', revision: 6 }
  expect(sent).toEqual([
    { path: '/bff/cases', body: { action: 'join', ...pair } },
    { path: '/bff/cases', body: { action: 'keep-apart', ...pair } },
  ])
})

test('shows three offers, and all others by keyboard, with the focus on the next', async () => {
  const offers = Array.from({ length: 10 }, (_, at) => ({
    threat: aThreat(`o-${at}`, { title: `Northwind ${at}` }),
    reason: { threatId: 'b-2', rule: 'similar' as const, text: 'Northwind' },
  }))
  serveCase({ ...CASE, offers })
  const { user } = renderPage('/threats/a-1')
  const shown = await panel()
  expect(shown.getAllByRole('link', { name: /^Northwind \d$/ })).toHaveLength(3)
  shown.getByRole('button', { name: 'Show 7 more' }).focus()
  await user.keyboard('{Enter}')
  expect(shown.getAllByRole('link', { name: /^Northwind \d$/ })).toHaveLength(10)
  expect(shown.getByRole('link', { name: 'Northwind 3' })).toHaveFocus()
  expect(shown.queryByRole('button', { name: /more$/ })).not.toBeInTheDocument()
})

test('says why a change was refused', async () => {
  serveCase()
  fakeBff.use(http.post('/bff/cases', () => problem('conflict', 409, { detail: 'It is the only claim.' })))
  const { user } = renderPage('/threats/a-1')
  const shown = await panel()
  await user.click(shown.getByRole('button', { name: 'Remove from case' }))
  expect(await shown.findByText(/It is the only claim/)).toBeVisible()
})

test('names the user whose decision came first, and shows the current case', async () => {
  serveCase()
  const { user } = renderPage('/threats/a-1')
  const shown = await panel()
  const single = { ...CASE, claims: CASE.claims.slice(1), claimCount: 1, actorCount: 1, offers: [] }
  fakeBff.use(
    http.get('/bff/threats/:id/case', () => HttpResponse.json({ found: single, isComparing: false })),
    http.post('/bff/cases', () =>
      problem('conflict', 409, { detail: 'bob@example.com took a claim out of its case.' }),
    ),
  )
  shown.getByRole('button', { name: 'Remove from case' }).focus()
  await user.keyboard('{Enter}')
  expect(await shown.findByRole('alert')).toHaveTextContent('bob@example.com took a claim out of its case.')
  expect(shown.queryByRole('listitem')).not.toBeInTheDocument()
  await waitFor(() => expect(shown.getByRole('heading', { name: 'Same victim' })).toHaveFocus())
})

test('a viewer reads the case and changes nothing', async () => {
  serveCase()
  signInAs('viewer')
  renderPage('/threats/a-1')
  const shown = await panel()
  expect(shown.getByRole('link', { name: 'North Wind' })).toBeVisible()
  expect(shown.queryByRole('button')).not.toBeInTheDocument()
})

test('a threat with a single claim has no “Same victim” section', async () => {
  const [, own] = CASE.claims
  serveCase({ ...CASE, claims: own ? [own] : [], claimCount: 1, actorCount: 1, offers: [] })
  renderPage('/threats/a-1')
  await screen.findByRole('region', { name: 'Team' })
  expect(await screen.findByRole('region', { name: 'Facts' })).toBeVisible()
  expect(screen.queryByRole('region', { name: 'Same victim' })).not.toBeInTheDocument()
})

test('says while threats are still compared that there may be other claims', async () => {
  serveCase(null, true)
  renderPage('/threats/a-1')
  const shown = await panel()
  expect(shown.getByText(/still comparing stored threats/)).toBeVisible()
  expect(shown.queryByRole('button')).not.toBeInTheDocument()
})
