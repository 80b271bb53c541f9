import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { Role } from '#contract/bff/session.ts'
import type { ThreatList } from '#contract/bff/threat-list.ts'
import type { View } from '#contract/bff/view.ts'
import { viewDraftSchema } from '#contract/bff/view-draft.ts'
import { fakeBff, SESSION } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const ID = '6a0e2c1e-7f7e-4c0e-9d3a-0d7c5a1f4b11'
const VIEW: View = {
  id: ID,
  name: 'DDoS in Germany',
  filter: { category: ['DDoS'], country: ['DE'] },
  timeZone: 'UTC',
  isShared: false,
  owner: { name: 'Ada Example', isMe: true },
  isDefault: false,
  hasFeed: false,
  updatedAt: '2026-11-20T12:00:00.000Z',
}
const LIST: ThreatList = {
  threats: [],
  nextCursor: null,
  total: 0,
  isTotalExact: true,
  answeredBy: 'window',
  facets: null,
  understoodAs: null,
  unreadable: 0,
  freshness: {
    fetchedAt: '2026-11-21T12:03:00.000Z',
    isStale: false,
    staleReason: null,
    covers: { from: null, to: null },
  },
}

/** What was sent, as `METHOD path body`. */
function serve(views: View[], role: Role = 'analyst'): string[] {
  const sent: string[] = []
  const record = async (request: Request) => {
    const body = await request.text()
    sent.push([request.method, new URL(request.url).pathname.slice('/bff/'.length), body].join(' ').trim())
    return body
  }
  const nothing = () => new HttpResponse(null, { status: 204 })
  fakeBff.use(
    http.get('/bff/session', () => HttpResponse.json({ ...SESSION, user: { ...SESSION.user, role } })),
    http.get('/bff/threats', () => HttpResponse.json(LIST)),
    http.get('/bff/views', () => HttpResponse.json({ views })),
    http.post('/bff/views', async ({ request }) => {
      const draft = viewDraftSchema.parse(JSON.parse(await record(request)))
      const view = { ...VIEW, ...draft }
      views.push(view)
      return HttpResponse.json(view, { status: 201 })
    }),
    http.put('/bff/views/default', async ({ request }) => {
      await record(request)
      return nothing()
    }),
    http.put('/bff/views/:id', async ({ request }) => {
      await record(request)
      return HttpResponse.json(VIEW)
    }),
    http.post('/bff/views/:id/feed', () =>
      HttpResponse.json({ address: 'http://localhost/feeds/secret.atom' }, { status: 201 }),
    ),
    http.delete('/bff/views/:id', async ({ request }) => {
      await record(request)
      views.splice(0)
      return nothing()
    }),
  )
  return sent
}

const FILTERED = { category: 'DDoS', country: 'DE' }

async function openSettings(url: string, views: View[], role?: Role) {
  const sent = serve(views, role)
  const page = renderPage(url)
  await page.user.click(await screen.findByRole('button', { name: /^Views/ }))
  await page.user.click(await screen.findByRole('button', { name: 'Settings of DDoS in Germany' }))
  return { ...page, sent, dialog: await screen.findByRole('dialog', { name: 'View' }) }
}

test('an address that names a view takes over its filters', async () => {
  serve([VIEW])
  const { router } = renderPage(`/threats?view=${ID}`)

  await waitFor(() => expect(router.state.location.search).toEqual({ ...FILTERED, view: ID }))
  expect(await screen.findByRole('button', { name: 'Views, DDoS in Germany' })).toBeVisible()
  expect(screen.queryByText('Changed')).not.toBeInTheDocument()
})

test('the default view opens without an address, until its filters are dropped', async () => {
  serve([{ ...VIEW, isDefault: true }])
  const { router, user } = renderPage('/threats')
  await waitFor(() => expect(router.state.location.search).toEqual({ ...FILTERED, view: ID }))

  await user.click(await screen.findByRole('button', { name: 'Clear all' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ view: 'all' }))
})

test('says where the days of a view are another zone’s', async () => {
  const view: View = { ...VIEW, filter: { within: '7d' }, timeZone: 'Asia/Tokyo', hasFeed: true }
  serve([view])
  renderPage(`/threats?view=${ID}`)
  expect(await screen.findByText(/^Days of your zone, UTC/)).toHaveTextContent(
    'The view was saved in Asia/Tokyo, whose days its Atom feed keeps.',
  )
})

test('says that a view is gone', async () => {
  serve([])
  renderPage(`/threats?view=${ID}&category=DDoS`)
  expect(await screen.findByText('This view is gone, or is not shared any more.')).toBeVisible()
})

test('saves the filters in use under a name, for the team, as the default', async () => {
  const sent = serve([])
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

  await waitFor(() => expect(router.state.location.search).toEqual({ category: 'DDoS', view: ID }))
  expect(sent).toEqual([
    'POST views {"name":"Floods","isShared":true,"filter":{"category":["DDoS"]},"timeZone":"UTC"}',
    `PUT views/default {"id":"${ID}"}`,
  ])
})

test('filters that differ from the open view can be saved to it', async () => {
  const sent = serve([VIEW])
  const { user } = renderPage(`/threats?view=${ID}&category=DDoS`)
  expect(await screen.findByText('Changed')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Save changes' }))

  await waitFor(() =>
    expect(sent).toEqual([`PUT views/${ID} {"filter":{"category":["DDoS"]},"timeZone":"UTC"}`]),
  )
})

test('the view of somebody else can be one’s default, and nothing more', async () => {
  const theirs = { ...VIEW, isShared: true, owner: { name: 'Bo Example', isMe: false } }
  const { user, dialog, sent } = await openSettings('/threats', [theirs])
  expect(within(dialog).getByLabelText('Name')).toBeDisabled()
  expect(within(dialog).queryByRole('button', { name: 'Delete view…' })).not.toBeInTheDocument()
  expect(within(dialog).queryByRole('button', { name: 'Make an address' })).not.toBeInTheDocument()

  await user.click(within(dialog).getByRole('checkbox', { name: /Open Threats with this view/ }))
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent).toEqual([`PUT views/default {"id":"${ID}"}`]))
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

test('leads to the builder of alert profiles with its words and categories', async () => {
  const view = { ...VIEW, filter: { ...VIEW.filter, q: '"lock bit" acme', actor: ['Pale Harbour'] } }
  const { dialog } = await openSettings('/threats', [view])
  const link = within(dialog).getByRole('link', { name: 'Save as alert profile' })

  const { pathname, searchParams } = new URL(link.getAttribute('href') ?? '', location.origin)
  expect(pathname).toBe('/alerts/new')
  expect(searchParams.get('name')).toBe('DDoS in Germany')
  expect(searchParams.getAll('category')).toEqual(['DDoS'])
  expect(searchParams.getAll('keyword')).toEqual(['lock bit', 'acme', 'Pale Harbour'])
})

test('deletes the open view in two presses, and keeps its filters', async () => {
  const { user, dialog, router, sent } = await openSettings(`/threats?view=${ID}`, [VIEW])
  await user.click(within(dialog).getByRole('button', { name: 'Delete view…' }))
  await user.click(within(dialog).getByRole('button', { name: 'Delete for good' }))

  await waitFor(() => expect(router.state.location.search).toEqual(FILTERED))
  expect(sent).toEqual([`DELETE views/${ID}`])
})
