import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { AlertList } from '#contract/bff/alert.ts'
import { anAlertList, aProfile, aProfileMatches } from '#test/fixtures/alert-fixtures.ts'
import { aDeliveryDetail, aLanternProfileList, anId } from '#test/fixtures/delivery-fixtures.ts'
import { fakeBff, SOURCE, signInAs } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

beforeEach(() => sessionStorage.clear())

test.each([
  { isOwnService: true, says: /Lantern sends/, never: /vendor sends/ },
  { isOwnService: false, says: /vendor sends/, never: /Lantern sends/ },
])('the list says $says', async ({ isOwnService, says, never }) => {
  fakeBff.use(http.get('/bff/source', () => HttpResponse.json({ ...SOURCE, isOwnService })))
  for (const [path, profiles] of [['/alerts', [aProfile('p-1')]]] as const) {
    fakeBff.use(http.get('/bff/alerts', () => HttpResponse.json(anAlertList([...profiles]))))
    const { unmount } = renderPage(path)
    expect(await screen.findByText(says)).toBeVisible()
    expect(document.body).not.toHaveTextContent(never)
    unmount()
  }
})

const ACTIVE = { state: 'active', lastSentAt: '2026-11-21T09:00:00.000Z', failures: 2 } as const

/** One profile of Lantern's own service; what is sent of it is written down. */
function serveProfile(extension: Partial<NonNullable<AlertList['extension']>> = {}) {
  const sent: { method: string; path: string; body: unknown }[] = []
  const deliveries = { 'p-1': ACTIVE, ...extension.deliveries }
  const list = anAlertList([aProfile('p-1', { name: 'Clinics' })], {
    extension: { hasEmail: true, ...extension, deliveries },
  })
  const note = async (request: Request) => {
    const { pathname } = new URL(request.url)
    const text = await request.text()
    sent.push({ method: request.method, path: pathname, body: text === '' ? null : JSON.parse(text) })
  }
  fakeBff.use(
    http.get('/bff/source', () => HttpResponse.json({ ...SOURCE, isOwnService: true })),
    http.get('/bff/alerts', () => HttpResponse.json(list)),
    http.get('/bff/alerts/p-1/matches', () => HttpResponse.json(aProfileMatches([]))),
    http.put('/bff/alerts/p-1', async ({ request }) => {
      await note(request)
      return new HttpResponse(null, { status: 204 })
    }),
    http.delete('/bff/alerts/p-1', async ({ request }) => {
      await note(request)
      return new HttpResponse(null, { status: 204 })
    }),
    http.post(/\/bff\/alerts\/(p-1\/)?test$/, async ({ request }) => {
      await note(request)
      return HttpResponse.json({ sent: [{ id: anId(4) }] }, { status: 202 })
    }),
  )
  return sent
}

test('a profile says how its messages went, and leads to those that failed', async () => {
  serveProfile()
  renderPage('/alerts')
  const link = await screen.findByRole('link', { name: '2 failures in 7 days' })
  expect(link).toHaveAttribute('href', '/alerts/deliveries?profile=p-1&state=failed&state=unclear')
})

test('a profile is paused, and deleted only after a second press', async () => {
  const sent = serveProfile()
  const { user, router } = renderPage('/alerts?profile=p-1')
  await user.click(await screen.findByRole('button', { name: 'Pause' }))
  await expect.poll(() => sent.length).toBe(1)
  await user.click(screen.getByRole('button', { name: 'Delete…' }))
  expect(sent).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Delete for good' }))
  await expect.poll(() => router.state.location.href).toBe('/alerts')
  expect(sent).toEqual([
    { method: 'PUT', path: '/bff/alerts/p-1', body: { state: 'paused' } },
    { method: 'DELETE', path: '/bff/alerts/p-1', body: null },
  ])
})

test('the row of a profile offers what its panel does', async () => {
  const sent = serveProfile()
  const { user } = renderPage('/alerts')
  await user.click(await screen.findByRole('button', { name: /^Actions for / }))
  const actions = await screen.findByRole('dialog', { name: /^Actions for / })
  expect(within(actions).getByRole('link', { name: 'Edit' })).toHaveAttribute('href', '/alerts/new?edit=p-1')
  expect(within(actions).getByRole('link', { name: /^Duplicate / })).toBeVisible()
  await user.click(within(actions).getByRole('button', { name: 'Pause' }))
  await expect
    .poll(() => sent)
    .toEqual([{ method: 'PUT', path: '/bff/alerts/p-1', body: { state: 'paused' } }])
})

test('a test shows what the destination answered, once it has', async () => {
  serveProfile()
  let requests = 0
  fakeBff.use(
    http.get(`/bff/deliveries/${anId(4)}`, () => {
      const settled = { state: 'failed', code: '404', excerpt: 'no_service' } as const
      const members = requests++ === 0 ? ({ state: 'queued' } as const) : settled
      return HttpResponse.json(aDeliveryDetail(4, { kind: 'test', ...members }))
    }),
  )
  const { user } = renderPage('/alerts?profile=p-1')
  const updated = await screen.findByText('Updated', { selector: 'dt' })
  expect(updated.nextElementSibling).toHaveTextContent('20 Nov 2026')
  await user.click(await screen.findByRole('button', { name: 'Test destinations of the profile' }))
  expect(await screen.findByText(/^Failed/)).toHaveTextContent('Failed: 404 “no_service”.')
  expect(screen.getByRole('link', { name: 'View delivery' })).toHaveAttribute(
    'href',
    `/alerts/deliveries?open=${anId(4)}`,
  )
})

test('a test says of each destination how it went, and one is tried alone', async () => {
  const sent = serveProfile()
  const settled = [
    { state: 'sent', destination: 'a…@lantern.example' },
    { state: 'failed', destination: 'hooks.slack.com/…cd34', code: '404', excerpt: 'no_service' },
  ] as const
  fakeBff.use(
    ...settled.map((members, at) =>
      http.get(`/bff/deliveries/${anId(11 + at)}`, () =>
        HttpResponse.json(aDeliveryDetail(11 + at, { kind: 'test', ...members })),
      ),
    ),
    http.post('/bff/alerts/p-1/test', () =>
      HttpResponse.json({ sent: settled.map((_, at) => ({ id: anId(11 + at) })) }, { status: 202 }),
    ),
    http.post('/bff/alerts/p-1/destinations/:name/test', ({ params }) => {
      sent.push({ method: 'POST', path: String(params.name), body: null })
      return HttpResponse.json({ sent: [{ id: anId(11) }] }, { status: 202 })
    }),
  )
  const { user } = renderPage('/alerts?profile=p-1')
  await user.click(await screen.findByRole('button', { name: 'Test destinations of the profile' }))
  expect(await screen.findByText(/^Failed/)).toHaveTextContent('Failed: 404 “no_service”.')
  expect(screen.getByText('Delivered.')).toBeVisible()
  const outcomes = screen
    .getAllByRole('link', { name: 'View delivery' })
    .map(({ parentElement }) => parentElement)
  expect(outcomes[0]).toHaveTextContent(/a…@lantern\.example: Delivered/)
  expect(outcomes[1]).toHaveTextContent(/hooks\.slack\.com\/…cd34: Failed/)

  await user.click(screen.getByRole('button', { name: 'Test a…@lantern.example' }))
  expect(await screen.findAllByText('Delivered.')).toHaveLength(2)
  expect(sent).toEqual([{ method: 'POST', path: 'email.0', body: null }])
})

test('a destination is tried before its profile is there', async () => {
  const sent = serveProfile()
  fakeBff.use(
    http.get(`/bff/deliveries/${anId(4)}`, () => HttpResponse.json(aDeliveryDetail(4, { kind: 'test' }))),
  )
  const { user } = renderPage('/alerts/new')
  await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'ada@lantern.example{Enter}')
  await user.click(await screen.findByRole('button', { name: 'Test ada@lantern.example' }))
  expect(await screen.findByText('Delivered.')).toBeVisible()
  expect(sent).toEqual([
    {
      method: 'POST',
      path: '/bff/alerts/test',
      body: { channel: 'email', destination: 'ada@lantern.example' },
    },
  ])
})

test('a changed profile keeps the destinations that are not removed', async () => {
  const sent = serveProfile({ hasEmail: false })
  fakeBff.use(
    http.get('/bff/alert-profiles', () => HttpResponse.json(aLanternProfileList([], { hasEmail: false }))),
  )
  const { user, router } = renderPage('/alerts/new?edit=p-1')
  const name = await screen.findByRole('textbox', { name: 'Name' })
  expect(name).toHaveValue('Clinics')
  expect(await screen.findByText('a…@lantern.example')).toBeVisible()
  expect(await screen.findByText(/^Email is not set up/)).toHaveTextContent('SMTP_URL and MAIL_FROM')
  await user.clear(name)
  await user.type(name, 'Hospitals')
  await user.click(screen.getByRole('button', { name: 'Remove hooks.slack.com/…ab12' }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await expect.poll(() => router.state.location.href).toBe('/alerts?profile=p-1')
  expect(sent).toEqual([
    {
      method: 'PUT',
      path: '/bff/alerts/p-1',
      body: {
        name: 'Hospitals',
        keywords: ['northwind', '"pale harbour"'],
        categories: ['Ransomware'],
        slack: null,
      },
    },
  ])
})

test('viewers see how it goes, and have nothing to press', async () => {
  serveProfile()
  signInAs('viewer')
  renderPage('/alerts?profile=p-1')
  const panel = await screen.findByRole('region', { name: 'Profile' })
  expect(within(panel).getByText('2 failures in 7 days')).toBeVisible()
  expect(within(panel).queryByRole('button', { name: /Pause|Test|Delete/ })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Deliveries' })).toBeNull()
})
