import { screen } from '@testing-library/react'
import { delay, HttpResponse, http } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { AlertDraft } from '#contract/bff/alert.ts'
import { aBacktest, anAlertList, aProfile } from '#test/fixtures/alert-fixtures.ts'
import { aLanternProfileList } from '#test/fixtures/delivery-fixtures.ts'
import { fakeBff, problem, SESSION, SOURCE, signInAs } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

beforeEach(() => sessionStorage.clear())

/** Answers that nothing matches. */
const serveBacktest = () =>
  fakeBff.use(http.post('/bff/alert-profiles/backtest', () => HttpResponse.json(aBacktest())))

function serveCreation(answer: () => Response | Promise<Response>): AlertDraft[] {
  const sent: AlertDraft[] = []
  fakeBff.use(
    http.post<never, AlertDraft>('/bff/alerts', async ({ request }) => {
      sent.push(await request.json())
      return answer()
    }),
  )
  return sent
}

const created = (outcome: 'created' | 'found' = 'created') =>
  HttpResponse.json({ profile: aProfile('p-9', { name: 'Clinics' }), outcome }, { status: 201 })
/** As NOTIFY_HOSTS names them. */
const serveHosts = (hosts: string[]) =>
  fakeBff.use(http.get('/bff/alert-profiles', () => HttpResponse.json(aLanternProfileList([], { hosts }))))
const field = (name: string) => screen.findByRole('textbox', { name })
const press = () => screen.getByRole('button', { name: 'Create profile' })

test('what was written is sent, and the new profile is shown in the list', async () => {
  serveBacktest()
  const sent = serveCreation(created)
  const listed = () => (sent.length > 0 ? [aProfile('p-9', { name: 'Clinics' })] : [])
  fakeBff.use(http.get('/bff/alerts', () => HttpResponse.json(anAlertList(listed()))))
  serveHosts(['chat.corp.example'])
  const { user, router } = renderPage('/alerts/new')

  await user.type(await field('Name'), 'Clinics')
  await user.type(await field('Keywords'), 'northwind{Enter}"pale harbour",')
  await user.click(screen.getByRole('checkbox', { name: 'Ransomware' }))
  await user.type(await field('Email'), 'ada@lantern.example')
  await user.click(await field('Slack webhook'))
  await user.paste('https://hooks.slack.com/services/T0/B0/secret')
  await user.click(await field('Teams webhook'))
  await user.paste('https://chat.corp.example/hooks/secret')
  await user.click(press())

  expect(await screen.findByText(/was created\.$/)).toHaveTextContent('“Clinics” was created.')
  expect(sent).toEqual([
    {
      name: 'Clinics',
      keywords: ['northwind', '"pale harbour"'],
      categories: ['Ransomware'],
      email: ['ada@lantern.example'],
      slack: 'https://hooks.slack.com/services/T0/B0/secret',
      teams: 'https://chat.corp.example/hooks/secret',
    },
  ])
  expect(router.state.location.pathname).toBe('/alerts')
  expect(screen.getByRole('link', { name: 'Clinics' })).toHaveFocus()
})

test('a second profile of one name needs a confirmation', async () => {
  serveBacktest()
  const sent = serveCreation(created)
  fakeBff.use(
    http.get('/bff/alerts', () => HttpResponse.json(anAlertList([aProfile('p-1', { name: 'CLINICS' })]))),
  )
  const { user } = renderPage('/alerts/new?name=Clinics&keyword=northwind')
  await user.dblClick(await screen.findByRole('button', { name: 'Create profile' }))

  expect(await screen.findByRole('alert')).toHaveTextContent('There is a profile of this name')
  expect(screen.getByRole('link', { name: 'Open the first' })).toHaveAttribute('href', '/alerts?profile=p-1')
  expect(sent).toEqual([])
  await user.type(await field('Name'), ' B')
  expect(screen.queryByRole('alert')).toBeNull()
  await user.type(await field('Name'), '{Backspace}{Backspace}')
  await user.click(screen.getByRole('button', { name: 'Create a second one' }))
  expect(await screen.findByText(/^The profile was created/)).toBeVisible()
  expect(sent).toMatchObject([{ name: 'Clinics' }])
})

test('a list that cannot be read does not keep a profile from being made', async () => {
  serveBacktest()
  const sent = serveCreation(created)
  fakeBff.use(http.get('/bff/alerts', () => problem('upstream_unavailable', 502)))
  const { user } = renderPage('/alerts/new?name=Clinics&keyword=northwind')
  await user.click(await screen.findByRole('button', { name: 'Create profile' }))
  await expect.poll(() => sent.length).toBe(1)
})

test('a link fills it in, and a reload gives the draft back but for its webhooks', async () => {
  serveBacktest()
  const address = '/alerts/new?name=Clinics&keyword=northwind&category=DDoS'
  const { user, unmount } = renderPage(address)
  expect(await field('Name')).toHaveValue('Clinics')
  expect(screen.getByRole('checkbox', { name: 'DDoS' })).toBeChecked()
  await user.type(await field('Keywords'), 'contoso{Enter}')
  await user.type(await field('Email'), 'ada@lantern.example{Enter}')
  await user.click(await field('Slack webhook'))
  await user.paste('https://hooks.slack.com/services/T0/B0/secret')
  expect(JSON.stringify(sessionStorage)).not.toMatch(/secret/)
  unmount()

  renderPage(address)
  expect(await screen.findByRole('button', { name: 'Remove contoso' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Remove ada@lantern.example' })).toBeVisible()
  expect(await field('Slack webhook')).toHaveValue('')
})

test('the browser warns before it leaves the page only if a webhook is typed', async () => {
  serveBacktest()
  const leave = () => {
    const event = new Event('beforeunload', { cancelable: true })
    dispatchEvent(event)
    return event.defaultPrevented
  }
  const { user, unmount } = renderPage('/alerts/new?name=Clinics&keyword=northwind')
  await user.click(await field('Teams webhook'))
  expect(leave()).toBe(false)
  await user.paste('https://a.example/')
  expect(leave()).toBe(true)
  await user.clear(await field('Teams webhook'))
  expect(leave()).toBe(false)
  await user.paste('https://a.example/')
  unmount()
  expect(leave()).toBe(false)
})

test('another account in the same tab sees no draft', async () => {
  serveBacktest()
  const { user, unmount } = renderPage('/alerts/new')
  await user.type(await field('Name'), 'Clinics')
  unmount()

  fakeBff.use(
    http.get('/bff/session', () => HttpResponse.json({ ...SESSION, user: { ...SESSION.user, id: 'u-2' } })),
  )
  renderPage('/alerts/new')
  expect(await field('Name')).toHaveValue('')
})

test('leads to the first field that cannot be sent, and sends nothing', async () => {
  serveBacktest()
  const sent = serveCreation(created)
  const { user } = renderPage('/alerts/new')
  await user.click(await screen.findByRole('button', { name: 'Create profile' }))

  expect(await field('Name')).toHaveFocus()
  expect(await field('Name')).toHaveAccessibleDescription('Give the profile a name.')
  expect(await field('Keywords')).toBeInvalid()
  expect(screen.getByText('2 things to fix above')).toBeVisible()
  expect(sent).toEqual([])
})

test('shows an error for addresses that cannot work', async () => {
  serveBacktest()
  const { user } = renderPage('/alerts/new')
  await user.click(await field('Teams webhook'))
  await user.paste('https://acme.webhook.office.com/webhookb2/ab/IncomingWebhook/cd')
  expect(screen.getByText(/^Microsoft has switched off Office 365 connectors/)).toBeVisible()

  await user.type(await field('Email'), 'ada{Enter}')
  expect(screen.getByText(/: This is not an email address\.$/)).toBeVisible()
})

test('what the API refuses comes back to its field, and goes when the field changes', async () => {
  serveBacktest()
  const fields = [{ name: 'keywords.1', reason: 'keyword 1 is a stop word' }]
  serveCreation(() => problem('alert_refused', 422, { fields }))
  const { user } = renderPage('/alerts/new?name=Clinics&keyword=northwind&keyword=the')
  await user.click(await screen.findByRole('button', { name: 'Create profile' }))

  expect(await screen.findByText('keyword 1 is a stop word')).toBeVisible()
  expect(await field('Keywords')).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Remove the' }))
  expect(screen.queryByText('keyword 1 is a stop word')).toBeNull()
  expect(await field('Name')).toHaveValue('Clinics')
})

test('an unclear end keeps the draft, and the list can be looked at from here', async () => {
  serveBacktest()
  const sent = serveCreation(() => problem('alert_unclear', 502))
  const listed = () => (sent.length > 0 ? [aProfile('p-9', { name: 'Clinics' })] : [])
  fakeBff.use(http.get('/bff/alerts', () => HttpResponse.json(anAlertList(listed()))))
  const { user } = renderPage('/alerts/new?name=Clinics&keyword=northwind')
  await user.click(await screen.findByRole('button', { name: 'Create profile' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('What to do about alert_unclear.')

  await user.click(screen.getByRole('button', { name: 'Look in the list' }))
  expect(await screen.findByText(/^A profile of this name is in the list/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Open it' })).toHaveAttribute('href', '/alerts?profile=p-9')
  expect(await field('Name')).toHaveValue('Clinics')
})

test('two presses send once', async () => {
  serveBacktest()
  const sent = serveCreation(async () => {
    await delay(50)
    return created('found')
  })
  fakeBff.use(http.get('/bff/alerts', () => HttpResponse.json(anAlertList([]))))
  const { user } = renderPage('/alerts/new?name=Clinics&keyword=northwind')
  await user.dblClick(await screen.findByRole('button', { name: 'Create profile' }))

  expect(await screen.findByText(/Lantern then found the profile in its list/)).toBeVisible()
  expect(sent).toHaveLength(1)
})

test('viewers may try keywords, and learn who may create', async () => {
  serveBacktest()
  signInAs('viewer')
  renderPage('/alerts/new?keyword=northwind')
  expect(await screen.findByText('0 matches in the last 30 days', { selector: 'p' })).toBeVisible()
  expect(press()).toBeDisabled()
  expect(screen.getByText(/takes the role of analyst/)).toBeVisible()
})

test.each([
  [
    'plan',
    { status: 'forbidden', reason: 'Upgrade to Pro' },
    /does not include alert profiles.*Upgrade to Pro/,
  ],
  ['source', { status: 'absent' }, 'Runs in Lantern: this vendor offers no alert profiles.'],
])('where the %s has no profiles, they run in Lantern', async (_, state, sentence) => {
  serveBacktest()
  const earlier = { ...SOURCE.sets.earlier, ...state }
  fakeBff.use(
    http.get('/bff/source', () => HttpResponse.json({ ...SOURCE, sets: { ...SOURCE.sets, earlier } })),
  )
  renderPage('/alerts/new?keyword=northwind')
  expect(await screen.findByText('0 matches in the last 30 days', { selector: 'p' })).toBeVisible()
  expect(await screen.findByText(sentence)).toBeVisible()
  expect(press()).toBeEnabled()
})

test('a copy begins with what the profile says, and names the addresses that it lacks', async () => {
  serveBacktest()
  fakeBff.use(http.get('/bff/alerts', () => HttpResponse.json(anAlertList([aProfile('p-1')]))))
  const { user, unmount } = renderPage('/alerts/new?copy=p-1')
  expect(await field('Name')).toHaveValue('Copy of Profile p-1')
  expect(screen.getByRole('button', { name: 'Remove northwind' })).toBeVisible()
  expect(screen.getByRole('note')).toHaveTextContent(
    /Enter the ones for this profile\. The original has:Email a…@lantern\.exampleSlack hooks\.slack\.com\/…ab12$/,
  )
  await user.type(await field('Name'), ' (2)')
  unmount()

  renderPage('/alerts/new?copy=p-1')
  expect(await field('Name')).toHaveValue('Copy of Profile p-1 (2)')
  expect(await screen.findByText('A copy begins without addresses')).toBeVisible()
})
