import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { Role } from '#contract/bff/session.ts'
import type { View } from '#contract/bff/view.ts'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { FILTERED, serveViews, VIEW, VIEW_ID } from '#test/support/app/serve-views.ts'

async function openSettings(url: string, views: View[], role?: Role) {
  const sent = serveViews(views, role)
  const page = renderPage(url)
  await page.user.click(await screen.findByRole('button', { name: /^Views/ }))
  await page.user.click(await screen.findByRole('button', { name: 'Settings of DDoS in Germany' }))
  return { ...page, sent, dialog: await screen.findByRole('dialog', { name: 'View' }) }
}

test('an address that names a view applies its filters', async () => {
  serveViews([VIEW])
  const { router } = renderPage(`/threats?view=${VIEW_ID}`)

  await waitFor(() => expect(router.state.location.search).toEqual({ ...FILTERED, view: VIEW_ID }))
  expect(await screen.findByRole('button', { name: 'Views, DDoS in Germany' })).toBeVisible()
  expect(screen.queryByText('Changed')).not.toBeInTheDocument()
})

test('the default view opens without an address, until its filters are dropped', async () => {
  serveViews([{ ...VIEW, isDefault: true }])
  const { router, user } = renderPage('/threats')
  await waitFor(() => expect(router.state.location.search).toEqual({ ...FILTERED, view: VIEW_ID }))

  await user.click(await screen.findByRole('button', { name: 'Clear all' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ view: 'all' }))
})

test('says where the days of a view are another zone’s', async () => {
  const view: View = { ...VIEW, filter: { within: '7d' }, timeZone: 'Asia/Tokyo', hasFeed: true }
  serveViews([view])
  renderPage(`/threats?view=${VIEW_ID}`)
  expect(await screen.findByText(/^Days of your zone, UTC/)).toHaveTextContent(
    'The view was saved in Asia/Tokyo, whose days its Atom feed keeps.',
  )
})

test('reports that a view was deleted or is no longer shared', async () => {
  serveViews([])
  renderPage(`/threats?view=${VIEW_ID}&category=DDoS`)
  expect(await screen.findByText('This view was deleted, or is no longer shared.')).toBeVisible()
})

test('saves the filters in use under a name, for the team, as the default', async () => {
  const sent = serveViews([])
  const { router, user } = renderPage('/threats?category=DDoS')
  await user.click(await screen.findByRole('button', { name: 'Views' }))
  await user.click(await screen.findByRole('button', { name: 'Save as a new view…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Save view' })
  await user.click(within(dialog).getByRole('button', { name: 'Save view' }))
  expect(within(dialog).getByLabelText('Name')).toBeInvalid()

  await user.type(within(dialog).getByLabelText('Name'), 'Floods')
  await user.click(within(dialog).getByRole('checkbox', { name: /Share with the team/ }))
  await user.click(within(dialog).getByRole('checkbox', { name: /Open Threats with this view/ }))
  await user.click(within(dialog).getByRole('button', { name: 'Save view' }))

  await waitFor(() => expect(router.state.location.search).toEqual({ category: 'DDoS', view: VIEW_ID }))
  expect(sent).toEqual([
    expect.stringMatching(
      /^POST views {"name":"Floods","isShared":true,"filter":{"category":\["DDoS"\]},"timeZone":"UTC","idempotencyKey":"[\w-]{36}"}$/,
    ),
    `PUT views/default {"id":"${VIEW_ID}"}`,
  ])
})

test('filters that differ from the open view can be saved to it', async () => {
  const sent = serveViews([VIEW])
  const { user } = renderPage(`/threats?view=${VIEW_ID}&category=DDoS`)
  expect(await screen.findByText('Changed')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Save changes' }))

  await waitFor(() =>
    expect(sent).toEqual([`PUT views/${VIEW_ID} {"filter":{"category":["DDoS"]},"timeZone":"UTC"}`]),
  )
})

test('another user’s view can only be chosen as the default', async () => {
  const theirs = { ...VIEW, isShared: true, owner: { name: 'Bo Example', isMe: false } }
  const { user, dialog, sent } = await openSettings('/threats', [theirs])
  expect(within(dialog).getByLabelText('Name')).toBeDisabled()
  expect(within(dialog).queryByRole('button', { name: 'Delete view…' })).not.toBeInTheDocument()
  expect(within(dialog).queryByRole('button', { name: 'Make an address' })).not.toBeInTheDocument()

  await user.click(within(dialog).getByRole('checkbox', { name: /Open Threats with this view/ }))
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent).toEqual([`PUT views/default {"id":"${VIEW_ID}"}`]))
})

test('viewers keep views for themselves', async () => {
  const { dialog } = await openSettings('/threats', [VIEW], 'viewer')
  expect(within(dialog).getByRole('button', { name: 'Delete view…' })).toBeVisible()
  expect(within(dialog).queryByRole('checkbox', { name: /Share/ })).not.toBeInTheDocument()
  expect(within(dialog).queryByRole('button', { name: 'Make an address' })).not.toBeInTheDocument()
})

test('an address of the feed is shown once it is made', async () => {
  const { user, dialog } = await openSettings('/threats', [VIEW])
  await user.click(within(dialog).getByRole('button', { name: 'Make an address' }))
  expect(await within(dialog).findByLabelText('Address')).toHaveValue('http://localhost/feeds/secret.atom')
})

test('an old session proves itself before it makes an address', async () => {
  const { user, dialog } = await openSettings('/threats', [VIEW])
  let isProven = false
  const factors = { hasPassword: true, totp: null, passkeys: [], recoveryCodes: 0, isRequired: false }
  fakeBff.use(
    http.get('/bff/factors', () => HttpResponse.json(factors)),
    http.post('/bff/proof', () => {
      isProven = true
      return new HttpResponse(null, { status: 204 })
    }),
    http.post('/bff/views/:id/feed', () => (isProven ? undefined : problem('fresh_proof_needed', 403))),
  )
  await user.click(within(dialog).getByRole('button', { name: 'Make an address' }))
  const asking = await screen.findByRole('dialog', { name: 'Confirm that it is you' })
  await user.type(await within(asking).findByLabelText('Password'), 'correct horse{Enter}')
  expect(await within(dialog).findByLabelText('Address')).toHaveValue('http://localhost/feeds/secret.atom')
})

test('leads to the builder of alert profiles with its filter', async () => {
  const view = {
    ...VIEW,
    filter: { ...VIEW.filter, q: '("lock bit" OR acme) country:DE', actor: ['Pale Harbour'] },
  }
  const { dialog } = await openSettings('/threats', [view])
  const link = within(dialog).getByRole('link', { name: 'Alert me' })

  const { pathname, searchParams } = new URL(link.getAttribute('href') ?? '', location.origin)
  expect(pathname).toBe('/alerts/new')
  expect(searchParams.get('name')).toBe('DDoS in Germany')
  expect(searchParams.getAll('category')).toEqual(['DDoS'])
  expect(searchParams.getAll('actor')).toEqual(['Pale Harbour'])
  expect(searchParams.get('q')).toBe('("lock bit" OR acme) country:DE')
})

test.for([
  { name: 'by its filter', filter: { triage: 'overdue' } as const, query: 'triage=overdue' },
  { name: 'by its search', filter: { q: 'north status:OVERDUE' }, query: 'q=north+status:OVERDUE' },
])('offers no alert of what is overdue $name, and says why', async ({ filter, query }) => {
  const { user, dialog } = await openSettings(`/threats?${query}`, [{ ...VIEW, filter }])
  const why = 'No alerts: a case becomes overdue without a new record.'
  expect(await within(dialog).findByText(why)).toBeVisible()
  expect(within(dialog).queryByRole('link', { name: 'Alert me' })).toBeNull()
  await user.click(within(dialog).getByRole('button', { name: 'Close' }))
  expect(await screen.findByText(why)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Alert me' })).toBeNull()
  await user.click(screen.getByRole('button', { name: /View/ }))
  expect(await screen.findByRole('button', { name: /^Settings of/ })).toBeVisible()
  expect(screen.queryByRole('button', { name: /^Alert me of/ })).toBeNull()
})

test('offers an alert of a search that only has the word', async () => {
  await openSettings('/threats?q=%22overdue+invoice%22', [VIEW])
  expect(await screen.findByRole('button', { name: 'Alert me' })).toBeInTheDocument()
})

test('deletes the open view in two presses, and keeps its filters', async () => {
  const { user, dialog, router, sent } = await openSettings(`/threats?view=${VIEW_ID}`, [VIEW])
  await user.click(within(dialog).getByRole('button', { name: 'Delete view…' }))
  await user.click(within(dialog).getByRole('button', { name: 'Delete for good' }))

  await waitFor(() => expect(router.state.location.search).toEqual(FILTERED))
  expect(sent).toEqual([`DELETE views/${VIEW_ID}`])
})

test('a view whose answer was lost is saved again under the same key, and the next under another', async () => {
  const sent: unknown[] = []
  serveViews([])
  fakeBff.use(
    http.post('/bff/views', async ({ request }) => {
      sent.push(await request.json())
      return sent.length === 1 ? HttpResponse.error() : HttpResponse.json(VIEW, { status: 201 })
    }),
    http.get('/healthz', () => new HttpResponse('ok')),
  )
  const { user } = renderPage('/threats?category=DDoS')
  const save = async () => {
    await user.click(await screen.findByRole('button', { name: /^Views/ }))
    await user.click(await screen.findByRole('button', { name: 'Save as a new view…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Save view' }))
    await user.type(dialog.getByLabelText('Name'), 'Floods')
    await user.click(dialog.getByRole('button', { name: 'Save view' }))
    return dialog
  }
  const dialog = await save()
  expect(await dialog.findByRole('alert')).toHaveTextContent('Not saved.')
  await user.click(dialog.getByRole('button', { name: 'Save view' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(sent).toHaveLength(2)
  expect(sent[1]).toEqual(sent[0])
  expect(sent[0]).toMatchObject({ name: 'Floods', idempotencyKey: expect.any(String) })

  await save()
  await waitFor(() => expect(sent).toHaveLength(3))
  expect(sent[2]).not.toEqual(sent[0])
})
