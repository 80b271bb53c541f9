import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { View } from '#contract/bff/view.ts'
import type { Watch } from '#contract/bff/watch.ts'
import { anAlertList, FRESH } from '#test/fixtures/alert-fixtures.ts'
import { aDelivery, aDeliveryDetail, anId, aWatch } from '#test/fixtures/delivery-fixtures.ts'
import { aThreatDetail } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, problem, SESSION } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

beforeEach(() => sessionStorage.clear())

type Sent = { method: string; path: string; body: unknown }

function serveWatches(watches: Watch[], some: { hasEmail?: boolean; hosts?: string[] } = {}): Sent[] {
  const sent: Sent[] = []
  const note = async (request: Request) => {
    const { pathname } = new URL(request.url)
    const text = await request.text()
    const { idempotencyKey, ...body } = text === '' ? {} : JSON.parse(text)
    sent.push({ method: request.method, path: pathname, body })
  }
  const saved = (secrets = {}) => HttpResponse.json({ watch: aWatch(1), secrets }, { status: 201 })
  fakeBff.use(
    http.get('/bff/alerts', () => HttpResponse.json(anAlertList([]))),
    http.get('/bff/threats', () => problem('window_empty', 503)),
    http.get('/bff/trends', () => problem('window_empty', 503)),
    http.get('/bff/watches', () =>
      HttpResponse.json({ watches, hasEmail: true, domains: [], hosts: [], ...some }),
    ),
    http.get('/bff/watches/users', () =>
      HttpResponse.json({
        users: [
          { id: anId(71), name: 'Bo \u202eExample' },
          { id: anId(72), name: '' },
        ],
      }),
    ),
    http.delete('/bff/watches/:id/recipients/me', async ({ request }) => {
      await note(request)
      return new HttpResponse(null, { status: 204 })
    }),
    http.post('/bff/views', async ({ request }) => {
      await note(request)
      return HttpResponse.json(aView({ name: 'Ransomware' }), { status: 201 })
    }),
    http.post('/bff/watches', async ({ request }) => {
      await note(request)
      return saved({ [anId(201)]: 'whsec_shown_once' })
    }),
    http.put('/bff/watches/:id', async ({ request }) => {
      await note(request)
      return saved()
    }),
    http.delete('/bff/watches/:id', async ({ request }) => {
      await note(request)
      return new HttpResponse(null, { status: 204 })
    }),
    http.post('/bff/watches/:id/recipients/:recipient/test', async ({ request }) => {
      await note(request)
      return HttpResponse.json({ id: anId(4) }, { status: 202 })
    }),
    http.get(`/bff/deliveries/${anId(4)}`, () => HttpResponse.json(aDeliveryDetail(4, { kind: 'test' }))),
  )
  return sent
}

function aView(members: Partial<View> = {}): View {
  return {
    id: anId(901),
    name: 'Hospitals in Germany',
    filter: { category: ['Ransomware'] },
    timeZone: 'UTC',
    isShared: false,
    owner: { name: 'Ada Example', isMe: true },
    isDefault: false,
    hasFeed: false,
    updatedAt: '2026-11-20T09:00:00.000Z',
    ...members,
  }
}

test('a filtered feed is saved and watched in two presses, and a new secret is shown once', async () => {
  const sent = serveWatches([])
  const { user } = renderPage('/threats?category=Ransomware')
  await user.click(await screen.findByRole('button', { name: 'Watch' }))
  await user.click(await screen.findByRole('button', { name: 'Save and watch' }))

  const dialog = await screen.findByRole('dialog', { name: 'Watch' })
  expect(await within(dialog).findByLabelText('Signing secret')).toHaveValue('whsec_shown_once')
  expect(sent).toEqual([
    {
      method: 'POST',
      path: '/bff/views',
      body: {
        timeZone: 'UTC',
        name: 'Ransomware',
        filter: { category: ['Ransomware'] },
        isShared: false,
      },
    },
    {
      method: 'POST',
      path: '/bff/watches',
      body: { viewId: anId(901), recipients: [{ channel: 'user', userId: SESSION.user.id }] },
    },
  ])
  await user.click(within(dialog).getByRole('button', { name: 'Test hooks.slack.com/…cd34' }))
  expect(await within(dialog).findByText('Delivered.')).toBeVisible()
})

test('a view is watched from the list of views, for others too', async () => {
  const sent = serveWatches([], { hosts: ['*.corp.example'] })
  fakeBff.use(http.get('/bff/views', () => HttpResponse.json({ views: [aView()] })))
  const { user } = renderPage('/threats')
  await user.click(await screen.findByRole('button', { name: 'Views' }))
  await user.click(await screen.findByRole('button', { name: 'Watch Hospitals in Germany' }))
  await user.click(await screen.findByRole('checkbox', { name: /^Me/ }))
  await user.click(screen.getByRole('button', { name: 'Watch' }))
  expect(await screen.findByText('Name at least one recipient.')).toBeVisible()
  await user.click(screen.getByLabelText('Slack webhook'))
  await user.paste('https://evil.example/')
  await user.click(screen.getByLabelText('E-mail addresses'))
  await user.paste('bo@corp.example')
  await user.click(screen.getByRole('button', { name: 'Watch' }))
  expect(screen.getByLabelText('Slack webhook')).toBeInvalid()
  expect(sent).toEqual([])
  await user.clear(screen.getByLabelText('Slack webhook'))
  await user.click(screen.getByLabelText('Slack webhook'))
  await user.paste('https://chat.corp.example/hooks/a')
  await user.click(screen.getByRole('button', { name: 'Watch' }))
  await screen.findByText(/is watched/)
  expect(sent).toEqual([
    {
      method: 'POST',
      path: '/bff/watches',
      body: {
        viewId: anId(901),
        recipients: [
          { channel: 'email', address: 'bo@corp.example' },
          { channel: 'slack', url: 'https://chat.corp.example/hooks/a' },
        ],
      },
    },
  ])
})

test('an analyst has another user told, by name', async () => {
  const sent = serveWatches([])
  const { user } = renderPage('/threats?category=Ransomware')
  await user.click(await screen.findByRole('button', { name: 'Watch' }))
  const others = await screen.findByRole('combobox', { name: 'Other users' })
  expect(within(others).getByRole('option', { name: 'A user without a name' })).toBeVisible()
  await user.selectOptions(others, anId(71))
  await user.click(screen.getByRole('button', { name: 'Save and watch' }))
  await screen.findByLabelText('Signing secret')
  expect(sent.at(-1)?.body).toMatchObject({
    recipients: [
      { channel: 'user', userId: SESSION.user.id },
      { channel: 'user', userId: anId(71) },
    ],
  })
})

test('whoever another’s watch tells can take themselves off', async () => {
  const owner = { name: 'Bo Example', isMe: false }
  const me = { channel: 'user', id: anId(5), userId: anId(70), name: 'Ada Example' } as const
  fakeBff.use(
    http.get('/bff/session', () =>
      HttpResponse.json({ ...SESSION, user: { ...SESSION.user, id: anId(70), role: 'viewer' } }),
    ),
  )
  const sent = serveWatches([aWatch(1, { owner, recipients: [me] }), aWatch(2, { owner, viewName: 'Else' })])
  const { user } = renderPage('/alerts')
  await user.click(await screen.findByRole('button', { name: /^Take me off the watch of Hospitals/ }))
  expect(screen.queryByRole('button', { name: 'Take me off the watch of Else' })).toBeNull()
  expect(sent).toMatchObject([{ method: 'DELETE', path: `/bff/watches/${anId(1)}/recipients/me` }])
})

test('a watch is paused, told to others and ended', async () => {
  const sent = serveWatches([aWatch(1, { failures: 1 })], { hasEmail: false })
  const { user } = renderPage('/alerts')
  expect(await screen.findByRole('link', { name: '1 failure in 7 days' })).toHaveAttribute(
    'href',
    `/alerts/deliveries?watch=${anId(1)}&state=failed&state=unclear`,
  )
  expect(screen.getByText(/^E-mail is not set up/)).toHaveTextContent('SMTP_URL and MAIL_FROM')
  await user.click(screen.getByRole('button', { name: 'Pause the watch of Hospitals in Germany' }))
  await user.click(screen.getByRole('button', { name: 'Change the watch of Hospitals in Germany' }))
  await user.click(await screen.findByRole('button', { name: 'Remove Ada Example' }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await user.click(await screen.findByRole('button', { name: 'Done' }))
  await user.click(screen.getByRole('button', { name: 'End the watch of Hospitals in Germany' }))
  expect(sent).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'End it' }))
  await expect.poll(() => sent.length).toBe(3)
  const path = `/bff/watches/${anId(1)}`
  expect(sent).toEqual([
    { method: 'PUT', path, body: { state: 'paused' } },
    { method: 'PUT', path, body: { recipients: [{ channel: 'kept', id: anId(201) }] } },
    { method: 'DELETE', path, body: {} },
  ])
})

test('a recipient that has ended says since when, and what begins anew', async () => {
  serveWatches([
    aWatch(1, {
      recipients: [
        {
          ...{ channel: 'webhook', id: anId(201), destination: 'hooks.example/…cd34' },
          endedAt: '2026-11-20T10:15:00.000Z',
        },
      ],
    }),
  ])
  await renderPage('/alerts')
  const recipients = await screen.findByRole('list', { name: 'Recipients' })
  expect(recipients).toHaveTextContent(
    /Ended: it answered 410 on 20 Nov 2026, 10:15 UTC\. Nothing is sent to it until it accepts a test\./,
  )
  expect(within(recipients).getByRole('button', { name: /test/i })).toBeEnabled()
})

test('a watch whose search has lost its meaning says so, in the list and where it is changed', async () => {
  serveWatches([
    aWatch(1, { viewName: 'Gone', searchFaults: ['There is no alert profile “x”.'] }),
    aWatch(2, { viewName: 'All' }),
  ])
  const { user } = renderPage('/alerts')
  const itemOf = async (name: string) => (await screen.findByRole('link', { name })).closest('li')
  const faults = 'Nothing is sent: the search cannot be understood. There is no alert profile “x”.'
  expect(await itemOf('Gone')).toHaveTextContent(faults)
  expect(await itemOf('All')).not.toHaveTextContent(/Nothing is sent/)
  await user.click(screen.getByRole('button', { name: 'Change the watch of Gone' }))
  expect(await screen.findByRole('dialog')).toHaveTextContent(faults)
})

test('a watch that is refused says why and what to write, and that its view is saved all the same', async () => {
  serveWatches([])
  const reason = 'There is no alert profile “Bank”.'
  const fields = [{ name: 'q', reason, from: 8, to: 12, fix: 'banks' }]
  const detail = `The search cannot be understood. ${reason}`
  fakeBff.use(http.post('/bff/watches', () => problem('bad_request', 400, { fields, detail })))
  const { user } = renderPage('/threats?q=profile:Bank')
  await user.click(await screen.findByRole('button', { name: 'Watch' }))
  await user.click(await screen.findByRole('button', { name: 'Save and watch' }))
  const refusal = await screen.findByText(/The view is saved, and not watched/)
  expect(refusal).toHaveTextContent(`${reason} Did you mean banks?`)
})

test('a threat’s page says who was told of it, and when', async () => {
  fakeBff.use(
    http.get('/bff/threats/a-1', () => HttpResponse.json({ threat: aThreatDetail('a-1'), freshness: FRESH })),
    http.get('/bff/threats/a-1/related', () => HttpResponse.json({ groups: [], freshness: FRESH })),
    http.get('/bff/threats/a-1/deliveries', () =>
      HttpResponse.json({
        deliveries: [aDelivery(1), aDelivery(2, { state: 'failed' })],
        isVendorSending: false,
      }),
    ),
  )
  renderPage('/threats/a-1')
  const told = await screen.findByRole('region', { name: 'Told' })
  expect(await within(told).findAllByText('hooks.slack.com/…ab12')).toHaveLength(2)
  expect(within(told).getByText('Failed')).toBeVisible()
  expect(within(told).getAllByRole('link', { name: 'View delivery' })[0]).toHaveAttribute(
    'href',
    `/alerts/deliveries?open=${anId(1)}`,
  )
})
