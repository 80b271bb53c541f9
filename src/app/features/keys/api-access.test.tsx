import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { Key, Keys } from '#contract/bff/key.ts'
import type { ServiceKey } from '#contract/bff/service-key.ts'
import { fakeBff, problem, signInAs } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const V1: Key = {
  set: 'v1',
  from: 'environment',
  isShared: false,
  lastFour: '4f9c',
  setAt: null,
  setBy: null,
  isUnreadable: false,
  status: 'valid',
  refusal: null,
  state: {
    status: 'permitted',
    reason: null,
    budgets: {
      minute: { limit: 5, remaining: 3, resetsAt: null },
      day: { limit: 100, remaining: 58, resetsAt: null },
    },
    blockedUntil: null,
  },
}
const EARLIER: Key = {
  ...V1,
  set: 'earlier',
  isShared: true,
  state: {
    status: 'forbidden',
    reason: 'Professional\u202e needed',
    budgets: { minute: null, day: null },
    blockedUntil: null,
  },
}
const KEYS: Keys = {
  kind: 'vendor',
  origin: 'https://api.vendor.example',
  keys: { v1: V1, earlier: EARLIER },
  trialExpiresAt: '2026-12-01T00:00:00Z',
}

function openAccess(keys: Keys = KEYS) {
  signInAs('admin')
  fakeBff.use(http.get('/bff/keys', () => HttpResponse.json(keys)))
  return renderPage('/settings?tab=api')
}

test('shows each key’s plan, limits and trial end, and makes invisible characters visible', async () => {
  openAccess()
  const v1 = await screen.findByRole('region', { name: 'API v1' })
  expect(v1).toHaveTextContent('…4f9c, from the environment of the server')
  expect(v1).toHaveTextContent('3 of 5 left')
  expect(v1).toHaveTextContent('58 of 100 left')
  const earlier = screen.getByRole('region', { name: 'Earlier API' })
  expect(earlier).toHaveTextContent('the key of v1')
  expect(earlier).toHaveTextContent('Not included in the plan')
  expect(within(earlier).getByRole('img', { name: /U\+202E/ })).toBeVisible()
  expect(screen.getByText(/expires on/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'New key' })).toBeNull()
})

test('replaces a key, and empties the field', async () => {
  const sent: unknown[] = []
  const { user } = openAccess()
  fakeBff.use(
    http.put('/bff/keys/v1', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json(KEYS)
    }),
  )
  const v1 = within(await screen.findByRole('region', { name: 'API v1' }))
  const field = v1.getByLabelText('New API key')
  expect(field).toHaveAttribute('type', 'password')
  await user.type(field, 'a new key{Enter}')
  expect(v1.getByText(/no spaces/)).toBeVisible()
  await user.clear(field)
  await user.type(field, 'brand-new-key-7d21{Enter}')
  expect(await v1.findByText('Replaced. It is in use everywhere.')).toBeVisible()
  expect(sent).toEqual([{ key: 'brand-new-key-7d21' }])
  expect(field).toHaveValue('')
})

test('a refused key stays in its field, with the reason', async () => {
  const { user } = openAccess()
  const reason = 'The vendor refuses this key.'
  const words = 'Key was revoked \u202eby <b>its</b> owner'
  fakeBff.use(
    http.put('/bff/keys/v1', () => problem('bad_request', 400, { fields: [{ name: 'key', reason, words }] })),
  )
  const v1 = within(await screen.findByRole('region', { name: 'API v1' }))
  await user.type(v1.getByLabelText('New API key'), 'revoked-long-ago{Enter}')
  const field = v1.getByLabelText('New API key')
  await waitFor(() =>
    expect(field).toHaveAccessibleDescription(/^The vendor refuses this key. The vendor’s answer: “Key was/),
  )
  expect(field).toHaveAccessibleDescription(/by <b>its<\/b> owner”$/)
  expect(field).not.toHaveAccessibleDescription(/\u202e/)
  expect(field).toHaveValue('revoked-long-ago')
  // Another fault of the field is Lantern's own.
  await user.type(field, ' x{Enter}')
  expect(field).toHaveAccessibleDescription(/no spaces/)
})

test('a refused key in use says since when, in whose words, and when it is tried again', async () => {
  const refusal = {
    at: '2026-11-21T08:02:00Z',
    words: 'Key was revoked \u202eby its owner',
    retryAt: '2026-11-21T10:15:00Z',
  }
  openAccess({ ...KEYS, keys: { ...KEYS.keys, v1: { ...V1, status: 'refused', refusal } } })
  const v1 = await screen.findByRole('region', { name: 'API v1' })
  expect(v1).toHaveTextContent('Key refused')
  expect(v1).toHaveTextContent('8:02')
  expect(v1).toHaveTextContent(/“Key was revoked .*by its owner”/)
  expect(v1).not.toHaveTextContent('\u202e')
  expect(v1).toHaveTextContent('10:15')
})

test("makes and revokes the embedded service's keys, each shown once", async () => {
  const listed: ServiceKey = {
    id: 'key_1',
    account: 'blue-team',
    name: 'Nightly report',
    earlierPlan: 'none',
    v1Plan: 'protection',
    status: 'active',
    endsAt: null,
    requestsToday: 1234,
    isOwn: false,
  }
  let keys = [listed, { ...listed, id: 'key_2', name: 'The dashboard', isOwn: true }]
  const { user } = openAccess({ ...KEYS, kind: 'embedded' })
  fakeBff.use(
    http.get('/bff/service-keys', () => HttpResponse.json({ keys })),
    http.post('/bff/service-keys', () =>
      HttpResponse.json({ id: 'key_3', token: 'ltn_once' }, { status: 201 }),
    ),
    http.delete('/bff/service-keys/key_1', () => {
      keys = keys.slice(1)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  await user.click(await screen.findByRole('button', { name: 'New key' }))
  // It is given its own: another would only lock the dashboard out.
  expect(screen.queryByLabelText('New API key')).toBeNull()
  expect(screen.getByRole('region', { name: 'Records of your own' })).toHaveTextContent('bin/lantern import')
  await user.type(screen.getByLabelText('Name'), 'SIEM')
  await user.type(screen.getByLabelText('Team'), 'blue-team')
  await user.click(screen.getByRole('button', { name: 'Make key' }))
  expect(await screen.findByLabelText('Key')).toHaveValue('ltn_once')
  await user.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByDisplayValue('ltn_once')).toBeNull()

  expect(screen.getAllByRole('button', { name: /^Revoke/ })).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Revoke Nightly report' }))
  await user.click(screen.getByRole('button', { name: 'Revoke key' }))
  await expect.poll(() => screen.queryByText('Nightly report')).toBeNull()
  expect(screen.getByText('The dashboard')).toBeVisible()
})
