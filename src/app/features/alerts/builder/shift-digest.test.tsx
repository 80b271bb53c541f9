import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { LanternProfile } from '#contract/bff/alert-profile.ts'
import { anAlertList } from '#test/fixtures/alert-fixtures.ts'
import { aLanternProfile, aLanternProfileList, anId } from '#test/fixtures/delivery-fixtures.ts'
import { SHIFT } from '#test/fixtures/shift-fixtures.ts'
import { fakeBff, SESSION } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

beforeEach(() => sessionStorage.clear())

const SENT = aLanternProfile(1, {
  name: 'Handover',
  isShift: true,
  filter: { q: 'id:none -id:none' },
  schedule: { kind: 'daily', hour: 6 },
})

function serve(profiles: LanternProfile[]): unknown[] {
  const sent: unknown[] = []
  const save = async ({ request }: { request: Request }) => {
    sent.push(await request.json())
    return HttpResponse.json({ profile: SENT, secrets: {} })
  }
  fakeBff.use(
    http.get('/bff/alerts', () => HttpResponse.json(anAlertList([]))),
    http.get('/bff/shift', () => HttpResponse.json(SHIFT)),
    http.get('/bff/alert-profiles', () =>
      HttpResponse.json(aLanternProfileList(profiles, { hasEmail: true })),
    ),
    http.get('/bff/alert-profiles/users', () =>
      HttpResponse.json({ users: [{ id: anId(71), name: 'Bo Example' }] }),
    ),
    http.post('/bff/alert-profiles', save),
    http.put('/bff/alert-profiles/:id', save),
  )
  return sent
}

test('Send as digest opens the builder of a daily or weekly digest to users', async () => {
  const sent = serve([])
  const { user, router } = renderPage(`/shift?since=${SHIFT.since}`)
  await user.click(await screen.findByRole('link', { name: 'Send as digest' }))
  expect(await screen.findByLabelText('Name')).toHaveValue('Shift')
  expect(router.state.location.href).toBe('/alerts/new?sends=shift')
  expect(screen.getByText(/^The digest contains what concerns us, overdue cases, new claims/)).toBeVisible()
  for (const label of ['Keywords', 'Email', 'Slack webhook', 'Teams webhook', 'Signed webhook'])
    expect(screen.queryByLabelText(label)).toBeNull()
  const schedule = within(screen.getByLabelText('Send'))
  expect(schedule.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'Daily digest',
    'Weekly digest',
  ])
  expect(
    screen.getByText(/^Runs in Lantern, because the vendor’s account cannot send the Shift page\.$/),
  ).toBeVisible()

  await user.selectOptions(await screen.findByLabelText('Other users'), 'Bo Example')
  await user.selectOptions(screen.getByLabelText('Send'), 'Weekly digest')
  await user.click(screen.getByRole('button', { name: 'Create profile' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({
    name: 'Shift',
    filter: {},
    isShift: true,
    timeZone: 'UTC',
    schedule: { kind: 'weekly', weekday: 1, hour: 6 },
    isShared: false,
    recipients: [
      { channel: 'user', userId: SESSION.user.id },
      { channel: 'user', userId: anId(71) },
    ],
  })
})

test('list and panel show that a profile sends Shift, also after an edit', async () => {
  const sent = serve([SENT])
  const { user, unmount } = renderPage(`/alerts?profile=${SENT.id}`)
  const panel = within(await screen.findByRole('region', { name: 'Profile' }))
  expect(panel.getByText('Sends').nextSibling).toHaveTextContent('Shift')
  expect(screen.queryByText(/id:none/)).toBeNull()
  expect(panel.queryByText('View threats')).toBeNull()
  unmount()

  renderPage(`/alerts/new?edit=${SENT.id}`)
  expect(await screen.findByText(/^The digest contains/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).not.toHaveProperty('isShift')
  expect(sent[0]).toMatchObject({ name: 'Handover', schedule: { kind: 'daily', hour: 6 } })
})

test('a profile of Shift is changed to send matches', async () => {
  const sent = serve([SENT])
  const { user } = renderPage(`/alerts/new?edit=${SENT.id}`)
  await user.click(await screen.findByRole('radio', { name: 'Matching threats' }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Add at least one keyword.')).toBeVisible()
  expect(sent).toEqual([])
  await user.type(screen.getByLabelText('Keywords'), 'okapi,')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({ isShift: false, filter: { q: expect.stringContaining('okapi') } })
})

test('a profile of matches changes to Shift for its users, and keeps its input until saved', async () => {
  // Its recipients are a user and a Slack webhook.
  const profile = aLanternProfile(2, { filter: { q: 'okapi' } })
  const sent = serve([profile])
  const { user } = renderPage(`/alerts/new?edit=${profile.id}`)
  const choose = async (name: string) => user.click(await screen.findByRole('radio', { name }))
  await choose('The Shift page')
  const note = 'Saving removes the other recipients.'
  expect(screen.getByText((text) => text.includes(note))).toBeVisible()
  const kept = () => within(screen.getByRole('list', { name: 'Recipients' })).getAllByRole('listitem')
  expect(kept()).toHaveLength(1)
  await choose('Matching threats')
  expect(kept()).toHaveLength(2)
  await choose('The Shift page')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({
    isShift: true,
    schedule: { kind: 'daily', hour: 6 },
    recipients: [{ channel: 'kept', id: profile.recipients[0]?.id }],
  })
})
