import { render, screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { Icon } from '#app/ui/icon.tsx'
import type { AlertHealth } from '#contract/bff/alert-health.ts'
import { anAlertList } from '#test/fixtures/alert-fixtures.ts'
import { aHealth, anAlertHealth, anId } from '#test/fixtures/delivery-fixtures.ts'
import { fakeBff, problem, signInAs } from '#test/support/app/fake-bff.ts'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const SLACK = {
  channel: 'slack' as const,
  destination: 'hooks.slack.com/…cd34',
  health: aHealth(),
  profiles: [{ id: anId(1), name: 'Clinics' }],
}
const FAILING = aHealth({
  state: 'failing',
  fault: { code: '404', excerpt: 'no_service' },
  remedy: 'Create a new webhook there, and enter it here.',
})
const UNREACHED = {
  kind: 'unreached' as const,
  since: '2026-11-21T11:50:00.000Z',
  subject: 'Messages to hooks.slack.com: not delivered',
  text: 'Connection refused. Recipients: hooks.slack.com/…cd34 (Clinics).',
  path: '/alerts/deliveries?state=retrying',
}

async function showHealth(health: Partial<AlertHealth>) {
  fakeBff.use(
    http.get('/bff/alerts', () => HttpResponse.json(anAlertList([]))),
    http.get('/bff/alerts/health', () => HttpResponse.json(anAlertHealth(health))),
  )
  const page = renderPage('/alerts')
  const section = await screen.findByRole('region', { name: 'Health' })
  return { ...page, line: within(section) }
}

test('the page says first that all channels work, and lists them', async () => {
  const { line, user } = await showHealth({
    lastSentAt: '2026-11-21T09:00:00.000Z',
    destinations: [SLACK],
    destinationCount: 1,
  })
  expect(await line.findByText(/^All channels working, last message/)).toBeVisible()
  await user.click(line.getByText('1 destination'))
  expect(within(line.getByRole('list', { name: 'Destinations' })).getByRole('listitem')).toHaveTextContent(
    /^Slack hooks\.slack\.com\/…cd34 · ClinicsLast message/,
  )
})

test('the page says that nothing was sent, and what has never been tried', async () => {
  const { line } = await showHealth({})
  const words = await line.findByText('No message has been sent yet.')
  expect(words).toBeVisible()
  expect(line.queryByText(/destination/)).toBeNull()
  // A check mark would say that messages arrive.
  const icon = words.parentElement?.querySelector('path')?.getAttribute('d')
  const { container } = render(<Icon name="info" />)
  expect(icon).toBe(container.querySelector('path')?.getAttribute('d'))
})

test('the page says first what is broken, and leads to what mends it', async () => {
  const { line, user } = await showHealth({
    problems: [UNREACHED, { ...UNREACHED, kind: 'workerStopped', subject: 'Lantern sends no messages' }],
    destinations: [{ ...SLACK, health: FAILING }],
    destinationCount: 1,
  })
  expect(await line.findAllByText('Messages to hooks.slack.com: not delivered')).not.toHaveLength(0)
  expect(line.getByText(/, and 1 more problem/)).toBeVisible()
  const [view] = line.getAllByRole('link', { name: 'View deliveries' })
  expect(view).toHaveAttribute('href', '/alerts/deliveries?state=retrying')
  await user.click(line.getByText('1 destination'))
  expect(within(line.getByRole('list', { name: 'Problems' })).getAllByRole('listitem')).toHaveLength(2)
  expect(line.getByRole('list', { name: 'Destinations' })).toHaveTextContent(
    /Not delivered since .+: 404 “no_service”\. Create a new webhook there/,
  )
})

test('a destination that fails only now is named, and viewers are led to its profile', async () => {
  signInAs('viewer')
  const { line } = await showHealth({
    destinations: [{ ...SLACK, health: FAILING }, SLACK],
    destinationCount: 2,
  })
  expect(await line.findByText(/^Not working:/)).toHaveTextContent(/cd34 \(since .+\)\. View$/)
  expect(line.getByRole('link', { name: 'View' })).toHaveAttribute('href', `/alerts?profile=${anId(1)}`)
})

test('a health that is not known says so and is read again; untrusted text is text', async () => {
  fakeBff.use(http.get('/bff/alerts/health', () => problem('internal', 500)))
  fakeBff.use(http.get('/bff/alerts', () => HttpResponse.json(anAlertList([]))))
  const { user, container } = renderPage('/alerts')
  const retry = await screen.findByRole('button', { name: 'Try again' })
  const texts = Object.values(NASTY_STRINGS)
  const problems = texts.map((text) => ({ ...UNREACHED, subject: text, text }))
  fakeBff.use(http.get('/bff/alerts/health', () => HttpResponse.json(anAlertHealth({ problems }))))
  await user.click(retry)
  expect(await screen.findByText(/more problems/)).toBeVisible()
  expect(container.querySelectorAll('script, img')).toHaveLength(0)
})
