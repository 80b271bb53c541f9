import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { Mute } from '#contract/bff/alert-mute.ts'
import { anAlertList, aProfile, aProfileMatches, FRESH } from '#test/fixtures/alert-fixtures.ts'
import {
  aDeliveryDetail,
  aLanternProfile,
  aLanternProfileList,
  aLedger,
  anId,
} from '#test/fixtures/delivery-fixtures.ts'
import { aThreat } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

beforeEach(() => sessionStorage.clear())

function aMute(number: number, members: Partial<Mute> = {}): Mute {
  return {
    id: anId(number),
    kind: 'victim',
    name: 'Okapi \u202e Ltd',
    reason: '<b>A test company</b>',
    until: '2026-12-05T12:00:00.000Z',
    mutedBy: 'Ada Example',
    createdAt: '2026-11-21T12:00:00.000Z',
    mutedCount: 3,
    ...members,
  }
}

/** What is sent; mutes are listed as they are by then. */
function serveMutes(mutes: Mute[], canChange = true) {
  const sent: { method: string; path: string; body: unknown }[] = []
  const note = async (request: Request) => {
    const text = await request.text()
    const path = new URL(request.url).pathname.slice('/bff/alert-profiles/'.length)
    sent.push({ method: request.method, path, body: text === '' ? null : JSON.parse(text) })
  }
  fakeBff.use(
    http.get('/bff/alerts', () => HttpResponse.json(anAlertList([]))),
    http.get('/bff/alert-profiles', () => HttpResponse.json(aLanternProfileList([aLanternProfile(1)]))),
    http.get('/bff/alert-profiles/:id/mutes', () => HttpResponse.json({ mutes, canChange })),
    http.post('/bff/alert-profiles/:id/mutes', async ({ request }) => {
      await note(request)
      const made = aMute(9, { until: null })
      mutes.push(made)
      return HttpResponse.json(made, { status: 201 })
    }),
    http.delete('/bff/alert-profiles/:id/mutes/:mute', async ({ request }) => {
      await note(request)
      mutes.length = 0
      return new HttpResponse(null, { status: 204 })
    }),
  )
  return sent
}

const PANEL = `/alerts?profile=${anId(1)}`
const card = async () => within(await screen.findByRole('region', { name: 'Mutes' }))

test('the panel lists mutes, and removes one', async () => {
  const sent = serveMutes([aMute(1)])
  const { user } = renderPage(PANEL)
  const mutes = await card()
  const item = await mutes.findByRole('listitem')
  expect(item).toHaveTextContent('Victim Okapi U+202E Ltd')
  expect(item).toHaveTextContent('<b>A test company</b>')
  expect(item).toHaveTextContent(/Until .*5 Dec.* · 3 matches muted · Ada Example, /)
  await user.click(mutes.getByRole('button', { name: /^Remove mute of Okapi/ }))
  expect(await mutes.findByText('No victim and no actor is muted.')).toBeVisible()
  expect(document.activeElement).toContainElement(mutes.getByText('No victim and no actor is muted.'))
  expect(sent).toEqual([{ method: 'DELETE', path: `${anId(1)}/mutes/${anId(1)}`, body: null }])
})

test('a name is muted for 14 days unless another time is chosen, and never without a reason', async () => {
  const sent = serveMutes([])
  const { user } = renderPage(PANEL)
  const mutes = await card()
  await user.click(await mutes.findByRole('button', { name: 'Mute… a victim or an actor' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Mute matches' }))
  expect(dialog.getByText(/not of critical ones either/)).toHaveTextContent(
    /^Recipients of “Hospitals in Germany” are not notified/,
  )
  expect(dialog.getByLabelText('Duration')).toHaveDisplayValue('14 days')
  expect(dialog.getByLabelText('Name')).toHaveFocus()
  expect(dialog.getByLabelText('Reason')).toHaveAccessibleDescription('Whoever sees the profile sees it.')
  await user.click(dialog.getByRole('button', { name: 'Mute' }))
  expect(dialog.getByText('Enter the name.')).toBeVisible()
  expect(dialog.getByText('Enter a reason.')).toBeVisible()
  expect(dialog.getByLabelText('Name')).toHaveFocus()
  expect(sent).toEqual([])
  await user.selectOptions(dialog.getByLabelText('Mute'), 'Actor')
  await user.type(dialog.getByLabelText('Name'), 'Ashfall{Enter}')
  expect(dialog.getByLabelText('Reason')).toHaveFocus()
  await user.type(dialog.getByLabelText('Reason'), 'Not ours{Enter}')
  expect(await mutes.findByText('Muted')).toBeVisible()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(await mutes.findByRole('listitem')).toBeVisible()
  const body = { kind: 'actor', name: 'Ashfall', days: 14, reason: 'Not ours' }
  expect(sent).toEqual([{ method: 'POST', path: `${anId(1)}/mutes`, body }])

  await user.click(mutes.getByRole('button', { name: /^Remove mute/ }))
  await waitFor(() => expect(mutes.queryByText('Muted')).toBeNull())
})

test('a refusal shows in the dialog, which stays open', async () => {
  serveMutes([])
  fakeBff.use(http.post('/bff/alert-profiles/:id/mutes', () => problem('conflict', 409)))
  const { user } = renderPage(PANEL)
  await user.click(await (await card()).findByRole('button', { name: /^Mute…/ }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Name'), 'Okapi')
  await user.type(dialog.getByLabelText('Reason'), 'Not ours{Enter}')
  expect(await dialog.findByRole('alert')).toHaveTextContent(/^Not muted\. Problem conflict/)
})

test('users who may not change the profile see its mutes without buttons', async () => {
  serveMutes([aMute(1)], false)
  renderPage(PANEL)
  const mutes = await card()
  expect(await mutes.findByRole('listitem')).toBeVisible()
  expect(mutes.queryByRole('button')).toBeNull()
})

test.each([
  { extension: null, says: true },
  { extension: { hasEmail: true, deliveries: {} }, says: false },
])(
  'a profile whose messages the vendor sends shows that instead of mutes: $says',
  async ({ extension, says }) => {
    serveMutes([])
    fakeBff.use(
      http.get('/bff/alerts', () => HttpResponse.json(anAlertList([aProfile('p-1')], { extension }))),
      http.get('/bff/alerts/p-1/matches', () => HttpResponse.json(aProfileMatches([]))),
    )
    renderPage('/alerts?profile=p-1')
    await screen.findByRole('region', { name: 'Profile' })
    if (says) expect(await screen.findByText(/Lantern cannot mute a victim or an actor/)).toBeVisible()
    else expect(await (await card()).findByRole('button', { name: /^Mute…/ })).toBeVisible()
    expect(screen.queryAllByRole('region', { name: 'Mutes' })).toHaveLength(says ? 0 : 1)
  },
)

test('a threat in a message is muted for one of the profiles of the reader that matched it', async () => {
  const sent = serveMutes([])
  const causes = [
    { id: 'p-1', name: 'Clinics' },
    { id: 'p-2', name: 'Banks' },
    { id: 'p-3', name: 'Of others' },
  ]
  const threats = [
    { id: 't-1', title: 'Listed', victim: 'Okapi', actor: 'Ashfall', causeIds: ['p-1', 'p-2', 'p-3'] },
    { id: 't-2', title: 'Unnamed', victim: null, actor: null, causeIds: ['p-1'] },
    { id: 't-3', title: 'Not mine', victim: 'Okapi', actor: null, causeIds: ['p-3'] },
  ]
  const detail = aDeliveryDetail(1, { causes, threats, mutableIds: ['p-1', 'p-2'] })
  fakeBff.use(
    http.get('/bff/deliveries', () => HttpResponse.json(aLedger([detail]))),
    http.get(`/bff/deliveries/${anId(1)}`, () => HttpResponse.json(detail)),
  )
  const { user } = renderPage(`/alerts/deliveries?open=${anId(1)}`)
  const message = within(await screen.findByRole('region', { name: 'Message' }))
  await user.click(await message.findByRole('button', { name: 'Mute… Listed' }))
  expect(message.getAllByRole('button', { name: /^Mute…/ })).toHaveLength(1)
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getAllByRole('option', { name: /Clinics|Banks|Of others/ })).toHaveLength(2)
  await user.selectOptions(dialog.getByLabelText('Profile'), 'Banks')
  expect(dialog.getByLabelText('Mute')).toHaveDisplayValue('Victim: Okapi')
  await user.selectOptions(dialog.getByLabelText('Duration'), 'Until removed')
  await user.type(dialog.getByLabelText('Reason'), 'Not ours{Enter}')
  expect(await message.findByText('Muted')).toBeVisible()
  const body = { kind: 'victim', name: 'Okapi', days: null, reason: 'Not ours' }
  expect(sent).toEqual([{ method: 'POST', path: 'p-2/mutes', body }])
})

test('the page of a threat mutes its actor for a profile that matches it', async () => {
  const sent = serveMutes([])
  const verdict = { verdict: 'matches', keywords: [], categories: [] }
  const profiles = [
    { ...verdict, id: 'p-1', name: 'Mine', mute: 'allowed' },
    { ...verdict, id: 'p-2', name: 'Of others', mute: 'refused' },
    { ...verdict, id: 'p-3', name: 'Vendor’s', mute: 'vendor' },
  ]
  const threat = {
    ...aThreat('a-1', { organizations: ['Okapi', 'Tapir', 'Okapi'], actors: ['Ashfall'] }),
    content: null,
    sourceUrl: null,
    analysis: null,
    evidence: [],
    otherFields: [],
    records: [],
  }
  fakeBff.use(
    http.get('/bff/threats/a-1', () => HttpResponse.json({ threat, freshness: FRESH })),
    http.get('/bff/threats/a-1/related', () => HttpResponse.json({ groups: [], freshness: FRESH })),
    http.get('/bff/threats/a-1/profiles', () =>
      HttpResponse.json({ profiles, vendorProblem: null, freshness: FRESH }),
    ),
  )
  const { user } = renderPage('/threats/a-1')
  const part = within(await screen.findByRole('region', { name: 'Alert profiles' }))
  await user.click(await part.findByRole('button', { name: 'Mute… for Mine' }))
  expect(part.getAllByRole('button', { name: /^Mute…/ })).toHaveLength(1)
  expect(part.getByText(/The vendor sends its messages/)).toBeVisible()
  const dialog = within(await screen.findByRole('dialog'))
  const names = within(dialog.getByLabelText('Mute')).getAllByRole('option')
  expect(names.map((option) => option.textContent)).toEqual([
    'Victim: Okapi',
    'Victim: Tapir',
    'Actor: Ashfall',
  ])
  await user.selectOptions(dialog.getByLabelText('Mute'), 'Actor: Ashfall')
  await user.type(dialog.getByLabelText('Reason'), 'Not ours{Enter}')
  expect(await part.findByText('Muted')).toBeVisible()
  expect(sent).toMatchObject([{ path: 'p-1/mutes', body: { kind: 'actor', name: 'Ashfall', days: 14 } }])
})
