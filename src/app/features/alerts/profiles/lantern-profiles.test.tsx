import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { LanternProfile, LanternProfileList } from '#contract/bff/alert-profile.ts'
import { aBacktest, anAlertList, aProfile } from '#test/fixtures/alert-fixtures.ts'
import {
  aDeliveryDetail,
  aLanternProfile,
  aLanternProfileList,
  anId,
} from '#test/fixtures/delivery-fixtures.ts'
import { fakeBff, problem, SESSION } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

beforeEach(() => sessionStorage.clear())

type Sent = { method: string; path: string; body: unknown }
const ME = { channel: 'user', userId: SESSION.user.id }

function serveProfiles(profiles: LanternProfile[], members: Partial<LanternProfileList> = {}): Sent[] {
  const sent: Sent[] = []
  const note = async (request: Request) => {
    const text = await request.text()
    const { idempotencyKey: _, ...body } = text === '' ? {} : JSON.parse(text)
    sent.push({ method: request.method, path: new URL(request.url).pathname.slice('/bff/'.length), body })
  }
  const save = async ({ request }: { request: Request }) => {
    await note(request)
    const { recipients = [] } = Object(sent.at(-1)?.body)
    const isSigned = recipients.some(({ channel }: { channel: string }) => channel === 'webhook')
    const secrets = isSigned ? { [anId(201)]: 'whsec_shown_once' } : {}
    return HttpResponse.json({ profile: aLanternProfile(1), secrets })
  }
  const end = async ({ request }: { request: Request }) => {
    await note(request)
    return new HttpResponse(null, { status: 204 })
  }
  const backtest = async ({ request }: { request: Request }) => {
    const { filter } = Object(await request.json())
    const narrower = [
      {
        field: 'severity' as const,
        values: ['critical'],
        filter: { ...filter, severity: ['critical'] },
        matches: 21,
      },
    ]
    const conditions = [
      { name: 'q' as const, part: 0, count: 300 },
      { name: 'country' as const, count: 900 },
    ]
    return HttpResponse.json(aBacktest({ matches: 196, narrower, conditions }))
  }
  fakeBff.use(
    http.get('/bff/alerts', () => HttpResponse.json(anAlertList([]))),
    http.get('/bff/threats', () => problem('window_empty', 503)),
    http.get('/bff/trends', () => problem('window_empty', 503)),
    http.get('/bff/alert-profiles', () => HttpResponse.json(aLanternProfileList(profiles, members))),
    http.get('/bff/alert-profiles/users', () =>
      HttpResponse.json({ users: [{ id: anId(71), name: 'Bo \u202eExample' }] }),
    ),
    http.post('/bff/alert-profiles/backtest', backtest),
    http.post('/bff/alert-profiles', save),
    http.put('/bff/alert-profiles/:id', save),
    http.delete('/bff/alert-profiles/:id', end),
    http.delete('/bff/alert-profiles/:id/recipients/me', end),
    http.post('/bff/alert-profiles/:id/recipients/:recipient/test', async ({ request }) => {
      await note(request)
      return HttpResponse.json({ id: anId(4) }, { status: 202 })
    }),
    http.post('/bff/alert-profiles/:id/recipients/:recipient/secret', async ({ request, params }) => {
      await note(request)
      const secrets = { [String(params.recipient)]: 'whsec_replaced' }
      return HttpResponse.json({ profile: aLanternProfile(1), secrets })
    }),
    http.get(`/bff/deliveries/${anId(4)}`, () => HttpResponse.json(aDeliveryDetail(4, { kind: 'test' }))),
  )
  return sent
}

const create = () => screen.findByRole('button', { name: 'Create profile' })

test('Alert me in the feed leads to the builder, where the search makes a profile in Lantern', async () => {
  const sent = serveProfiles([])
  const { user, router } = renderPage('/threats?q=hospital&country=DE')
  await user.click(await screen.findByRole('button', { name: 'Alert me' }))

  expect(await screen.findByRole('combobox', { name: 'Search' })).toHaveValue('hospital')
  expect(await screen.findByRole('button', { name: /^Remove country: Germany/ })).toBeVisible()
  expect(
    screen.getByText('Runs in Lantern, because the vendor’s account cannot filter by country.'),
  ).toBeVisible()
  expect(router.state.location.href).toBe('/alerts/new?country=DE&q=hospital')

  await user.click(await screen.findByRole('button', { name: 'Critical only: 196 → 21' }))
  await user.type(screen.getByLabelText('Name'), 'Clinics')
  await user.click(screen.getByLabelText('Share with the team'))
  await user.click(await create())
  await screen.findByText('The profile was created. It appears here with the next reading of the list.')
  expect(sent).toEqual([
    {
      method: 'POST',
      path: 'alert-profiles',
      body: {
        name: 'Clinics',
        filter: { q: 'hospital', country: ['DE'], severity: ['critical'] },
        timeZone: 'UTC',
        schedule: { kind: 'atOnce', quiet: null },
        isShared: true,
        recipients: [ME],
      },
    },
  ])
  expect(router.state.location.search).toMatchObject({ created: anId(1) })
})

test('a profile with a digest runs in Lantern, and its draft keeps day and hour', async () => {
  const sent = serveProfiles([])
  const { user } = renderPage('/alerts/new?name=Clinics&keyword=hospital')
  await user.type(await screen.findByLabelText('Email'), 'soc@corp.example{Enter}')
  await user.selectOptions(screen.getByLabelText('Send'), 'Weekly digest')
  await user.selectOptions(screen.getByLabelText('Day'), 'Friday')
  await user.selectOptions(screen.getByLabelText('Hour'), '17:00')
  expect(screen.getByText('Runs in Lantern, because the vendor’s account cannot send digests.')).toBeVisible()
  await user.click(await create())
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({ body: { schedule: { kind: 'weekly', weekday: 5, hour: 17 } } })
})

test('quiet hours begin and end at chosen times, and need an end', async () => {
  const sent = serveProfiles([])
  const { user } = renderPage('/alerts/new?name=Clinics&keyword=hospital')
  await user.type(await screen.findByLabelText('Email'), 'soc@corp.example{Enter}')
  await user.click(screen.getByLabelText('Quiet hours'))
  fireEvent.change(screen.getByLabelText('Quiet to'), { target: { value: '22:00' } })
  await user.click(await create())
  expect(await screen.findByText('Choose another time: quiet hours have an end.')).toBeVisible()
  expect(sent).toEqual([])
  fireEvent.change(screen.getByLabelText('Quiet to'), { target: { value: '07:30' } })
  await user.click(screen.getByLabelText('Critical ones at once'))
  await user.click(await create())
  await waitFor(() => expect(sent).toHaveLength(1))
  const quiet = { from: '22:00', to: '07:30', isCriticalAtOnce: false }
  expect(sent[0]).toMatchObject({ body: { schedule: { kind: 'atOnce', quiet } } })
})

test('the list and the panel say when a digest goes', async () => {
  const schedule = { kind: 'daily', hour: 8 } as const
  const next = '2026-11-28T07:00:00.000Z'
  const digest = aLanternProfile(1, { schedule, timeZone: 'Europe/Berlin', nextDigestAt: next })
  serveProfiles([digest])
  renderPage(`/alerts?profile=${digest.id}`)
  await waitFor(() => expect(screen.getAllByText('Every day at 08:00, Europe/Berlin')).toHaveLength(2))
  expect(await screen.findByText(/^Next on/)).toBeVisible()
})

test('a search is compared: its forecast, and what each condition matches alone', async () => {
  serveProfiles([])
  renderPage('/alerts/new?q=hospital&country=DE')
  const part = await screen.findByRole('region', { name: 'Matches by condition' })
  expect(
    within(part)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['hospital300 alone', 'country:DE900 alone'])
})

test('a profile is tested every week where its owner chooses so', async () => {
  const owner = { name: 'Me', isMe: true }
  const sent = serveProfiles([aLanternProfile(1, { owner, nextProofAt: '2026-11-30T08:00:00.000Z' })])
  const { user } = renderPage(`/alerts?profile=${anId(1)}`)
  const box = await screen.findByRole('checkbox', { name: 'Send a test every week' })
  expect(box).toBeChecked()
  expect(screen.getByText(/^Next test:/)).toBeVisible()
  await user.click(box)
  // A control that is disabled loses the focus.
  expect(box).toBeEnabled()
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent).toEqual([
    { method: 'PUT', path: `alert-profiles/${anId(1)}`, body: { isProvedWeekly: false } },
  ])
})

test('a signing secret is replaced after a question and a fresh proof, and shown once', async () => {
  const webhook = {
    id: anId(201),
    channel: 'webhook',
    destination: 'soar.example/…hook',
    health: { state: 'unproven', since: null, provenAt: null, fault: null, remedy: null },
  } as const
  const sent = serveProfiles([
    aLanternProfile(1, { owner: { name: 'Me', isMe: true }, recipients: [webhook] }),
  ])
  let isProven = false
  const factors = { hasPassword: true, totp: null, passkeys: [], recoveryCodes: 0, isRequired: false }
  fakeBff.use(
    http.get('/bff/factors', () => HttpResponse.json(factors)),
    http.post('/bff/proof', () => {
      isProven = true
      return new HttpResponse(null, { status: 204 })
    }),
    http.post('/bff/alert-profiles/:id/recipients/:recipient/secret', () =>
      isProven ? undefined : problem('fresh_proof_needed', 403),
    ),
  )
  const { user } = renderPage(`/alerts?profile=${anId(1)}`)
  await user.click(await screen.findByRole('button', { name: 'Replace secret of soar.example/…hook' }))
  expect(screen.getByText('The present secret is valid for 24 more hours.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Replace secret' }))
  const asking = await screen.findByRole('dialog', { name: 'Confirm that it is you' })
  expect(sent).toEqual([])
  await user.type(await within(asking).findByLabelText('Password'), 'correct horse{Enter}')
  expect(await screen.findByLabelText('New signing secret')).toHaveValue('whsec_replaced')
  const path = `alert-profiles/${anId(1)}/recipients/${anId(201)}/secret`
  expect(sent).toEqual([{ method: 'POST', path, body: {} }])
})

test('the secret of a signed webhook is shown once, and can be tried', async () => {
  serveProfiles([])
  const { user, router } = renderPage('/alerts/new?name=Clinics&keyword=hospital')
  await user.click(await screen.findByLabelText('Signed webhook'))
  await user.paste('https://soar.example/hook')
  expect(screen.getByText(/cannot use signed webhooks\.$/)).toBeVisible()
  await user.click(await create())

  expect(await screen.findByLabelText('Signing secret')).toHaveValue('whsec_shown_once')
  await user.click(screen.getByRole('button', { name: 'Test hooks.slack.com/…cd34' }))
  expect(await screen.findByText('Delivered.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/alerts'))
})

test('keywords run in the vendor’s account, or in Lantern where their author says so', async () => {
  const sent = serveProfiles([])
  const { user } = renderPage(
    '/alerts/new?name=Clinics&keyword=hospital&keyword="pale harbour"&category=DDoS',
  )
  expect(await screen.findByText('Runs in the vendor’s account, which sends its messages.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Run it in Lantern instead' }))
  await user.click(await create())
  expect(await screen.findByText('Name at least one recipient.')).toBeVisible()
  await user.click(screen.getByRole('checkbox', { name: /^Me/ }))
  await user.click(await create())
  await waitFor(() =>
    expect(sent).toMatchObject([
      { body: { filter: { q: 'hospital OR "pale harbour"', category: ['DDoS'] }, recipients: [ME] } },
    ]),
  )
})

test('the switch between keywords and a search keeps what was typed, and says what it cannot hold', async () => {
  serveProfiles([])
  const { user } = renderPage('/alerts/new?keyword=hospital&category=DDoS')
  await user.click(await screen.findByRole('radio', { name: 'Search' }))
  const line = await screen.findByRole('combobox', { name: 'Search' })
  expect(line).toHaveValue('hospital')
  expect(await screen.findByRole('button', { name: /^Remove category: DDoS/ })).toBeVisible()
  await user.type(line, ' -university')
  await user.tab()
  expect(await screen.findByText(/cannot hold this search: it cannot exclude anything\.$/)).toBeVisible()
  expect(screen.getByRole('radio', { name: 'Simple' })).toBeDisabled()
  await user.clear(line)
  await user.type(line, 'clinic')
  await user.tab()
  await user.click(screen.getByRole('radio', { name: 'Simple' }))
  expect(await screen.findByRole('button', { name: 'Remove clinic' })).toBeVisible()
})

test('shows the refusal of a recipient at its field', async () => {
  serveProfiles([])
  const fields = [{ name: 'recipients.1', reason: 'No mail to this domain.' }]
  fakeBff.use(http.post('/bff/alert-profiles', () => problem('bad_request', 400, { fields })))
  const { user } = renderPage('/alerts/new?name=Clinics&q=hospital&country=DE')
  await user.type(await screen.findByLabelText('Email'), 'ada@elsewhere.example{Enter}')
  await user.click(await create())
  expect(await screen.findByText(/No mail to this domain\.$/)).toBeVisible()
})

test('one list has the profiles of both, and the vendor’s may fail without hiding the others', async () => {
  serveProfiles([aLanternProfile(1, { failures: 1 })])
  fakeBff.use(
    http.get('/bff/alerts', () => HttpResponse.json(anAlertList([aProfile('p-1', { name: 'Acme' })]))),
  )
  const { unmount } = renderPage('/alerts')
  const table = await screen.findByRole('table', { name: 'Alert profiles' })
  const rows = () => within(table).getAllByRole('row').slice(1)
  await waitFor(() => expect(rows()).toHaveLength(2))
  expect(rows()[0]).toHaveTextContent(/^Acme.*Vendor account/)
  expect(rows()[1]).toHaveTextContent(
    /^Hospitals in Germanyhospitalcountry:DE.*1 failure in 7 days.*Lantern1 user, Slack/,
  )
  unmount()

  fakeBff.use(http.get('/bff/alerts', () => problem('plan_not_allowed', 403)))
  renderPage('/alerts')
  expect(await screen.findByRole('link', { name: 'Hospitals in Germany' })).toBeVisible()
  expect(screen.getByText(/^The plan of the API key does not include/)).toBeVisible()
})

test('a profile is paused for a while, resumed, changed and deleted', async () => {
  const sent = serveProfiles([aLanternProfile(1)])
  const { user, router } = renderPage(`/alerts?profile=${anId(1)}`)
  const panel = await screen.findByRole('region', { name: 'Profile' })
  await user.click(within(panel).getByRole('button', { name: 'Pause' }))
  await user.click(await screen.findByRole('button', { name: 'For 8 hours' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  const { pausedUntil, state } = Object(sent[0]?.body)
  expect(state).toBe('paused')
  expect(Math.round((Date.parse(pausedUntil) - Date.now()) / 3_600_000)).toBe(8)

  await user.click(within(panel).getByRole('link', { name: 'Edit' }))
  expect(await screen.findByLabelText('Name')).toHaveValue('Hospitals in Germany')
  await user.click(await screen.findByRole('button', { name: 'Remove hooks.slack.com/…cd34' }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[1]).toMatchObject({
    method: 'PUT',
    path: `alert-profiles/${anId(1)}`,
    body: { filter: { q: 'hospital', country: ['DE'] }, recipients: [{ channel: 'kept', id: anId(101) }] },
  })
  await waitFor(() => expect(router.state.location.pathname).toBe('/alerts'))
  await user.click(await screen.findByRole('button', { name: 'Delete…' }))
  await user.click(screen.getByRole('button', { name: 'Delete for good' }))
  await waitFor(() => expect(sent[2]).toMatchObject({ method: 'DELETE', path: `alert-profiles/${anId(1)}` }))
})

test('the button that pauses a profile resumes it, and keeps the focus', async () => {
  const profiles = [aLanternProfile(1)]
  serveProfiles(profiles)
  fakeBff.use(
    http.put('/bff/alert-profiles/:id', async ({ request }) => {
      const { state } = Object(await request.json())
      profiles[0] = aLanternProfile(1, { state })
      return HttpResponse.json({ profile: profiles[0], secrets: {} })
    }),
  )
  const { user } = renderPage(`/alerts?profile=${anId(1)}`)
  const panel = within(await screen.findByRole('region', { name: 'Profile' }))
  const button = panel.getByRole('button', { name: 'Pause' })
  await user.click(button)
  await user.click(await screen.findByRole('button', { name: 'For 1 hour' }))
  expect(await panel.findByRole('button', { name: 'Resume' })).toBe(button)
  await user.click(button)
  expect(await panel.findByRole('button', { name: 'Pause' })).toBe(button)
  expect(button).toHaveFocus()
})

test('a recipient of another’s profile can stop it, and changes nothing else', async () => {
  const owner = { name: 'Bo', isMe: false }
  const me = { channel: 'user', userId: anId(70), id: anId(101), name: 'Ada Example' } as const
  const profiles = [aLanternProfile(1, { owner, isShared: true, recipients: [me] })]
  const sent = serveProfiles(profiles)
  const session = { ...SESSION, user: { ...SESSION.user, id: anId(70) } }
  fakeBff.use(http.get('/bff/session', () => HttpResponse.json(session)))
  const { user } = renderPage(`/alerts?profile=${anId(1)}`)
  const stop = await screen.findByRole('button', { name: 'Stop notifying me' })
  profiles[0] = aLanternProfile(1, { owner, isShared: true, recipients: [] })
  await user.click(stop)
  const status = await screen.findByText('You are not notified any more.')
  expect(status.parentElement).toHaveFocus()
  await waitFor(() =>
    expect(sent).toEqual([{ method: 'DELETE', path: `alert-profiles/${anId(1)}/recipients/me`, body: {} }]),
  )
  expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull()
})

test('a profile in Lantern says why it sends nothing', async () => {
  serveProfiles([aLanternProfile(1, { filterFaults: ['There is no alert profile “x”.'] })])
  renderPage('/alerts')
  expect(await screen.findByText(/^Nothing is sent: the search cannot be understood\./)).toHaveTextContent(
    '“x”',
  )
})

test('a profile is proven by its newest match, or says that a plain test was sent', async () => {
  serveProfiles([aLanternProfile(1)])
  const { user } = renderPage(`/alerts?profile=${anId(1)}`)
  for (const [record, says] of [
    ['Okapi breach', 'Newest match: Okapi breach'],
    [null, 'No stored record matches: a plain test was sent.'],
  ] as const) {
    fakeBff.use(
      http.post('/bff/alert-profiles/:id/prove', () =>
        HttpResponse.json({ sent: [{ id: anId(4) }], record }, { status: 202 }),
      ),
    )
    await user.click(await screen.findByRole('button', { name: /^Prove it / }))
    expect(screen.getByText(/^Sends the newest stored match/)).toBeVisible()
    await waitFor(() => expect(document.body).toHaveTextContent(says))
    expect(await screen.findByText('Delivered.')).toBeVisible()
  }
  const bellOnly = { sent: [], record: 'Okapi breach', userCount: 1 }
  fakeBff.use(http.post('/bff/alert-profiles/:id/prove', () => HttpResponse.json(bellOnly, { status: 202 })))
  await user.click(screen.getByRole('button', { name: /^Prove it / }))
  expect(await screen.findByText('Shown in Notifications of 1 recipient.')).toBeVisible()
  expect(screen.queryByText(/no destination/)).not.toBeInTheDocument()
})
