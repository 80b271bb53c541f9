import { expect, type Page } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'
import { inviteUser } from '#test/support/invite-user.ts'

/** Asks the BFF from the page itself, past whatever the page offers. */
function ask(page: Page, method: string, path: string, body?: unknown) {
  return page.evaluate(
    async ([method, path, body]) => {
      const response = await fetch(path, {
        method,
        headers: { 'x-lantern': '1', 'content-type': 'application/json' },
        ...(body && { body }),
      })
      const { code } = await response.json()
      return `${response.status} ${code}`
    },
    [method, path, body === undefined ? '' : JSON.stringify(body)] as const,
  )
}

const draft = { name: 'Mine', keywords: ['bank'], categories: [], email: ['a@lantern.example'], slack: null }
const serviceKey = { account: 'team', name: 'SIEM', earlierPlan: 'none', v1Plan: 'protection' }
const view = { name: 'Ours', filter: {}, timeZone: 'UTC', isShared: true }
const REFUSED: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['POST', '/bff/alerts', { ...draft, teams: null }],
  ['POST', '/bff/triage', { action: 'star', ids: ['thr_1'] }],
  ['POST', '/bff/triage/undo', { undoId: '1' }],
  ['POST', '/bff/views', view],
  ['GET', '/bff/keys'],
  ['PUT', '/bff/keys/v1', { key: 'a-key-of-my-own' }],
  ['DELETE', '/bff/keys/v1'],
  ['GET', '/bff/service-keys'],
  ['POST', '/bff/service-keys', serviceKey],
  ['GET', '/bff/users'],
  ['POST', '/bff/users', { email: 'eve@lantern.example', role: 'admin' }],
  ['GET', '/bff/audit'],
  ['GET', '/bff/calls'],
]

test('a viewer reads everything, and does nothing that takes another role', async ({
  signedInPage: admin,
  browser,
  lantern,
}) => {
  const context = await browser.newContext({ baseURL: lantern.url })
  const page = await context.newPage()
  await inviteUser(admin, page, 'grace@lantern.example')

  for (const [method, path, body] of REFUSED)
    expect(await ask(page, method, path, body), `${method} ${path}`).toBe('403 role_not_allowed')

  await page.goto('/threats')
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Star|Close case|Mark as read)$/ })).toHaveCount(0)
  await page.goto('/alerts/new?keyword=bank')
  await expect(
    page
      .getByRole('region', { name: 'Backtest' })
      .getByText(/matches in the last 30 days/)
      .last(),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create profile' })).toBeDisabled()
  await page.goto('/settings')
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await expect(page.getByRole('link', { name: /API access|Users|Audit log/ })).toHaveCount(0)
  for (const path of [
    '/settings?tab=api',
    '/settings?tab=users',
    '/settings?tab=cases',
    '/settings?tab=audit',
    '/settings/calls',
  ]) {
    await page.goto(path)
    await expect(page.getByText(/administrator|admin/i).first()).toBeVisible()
    await expect(page.getByLabel('New API key')).toHaveCount(0)
    await expect(page.getByRole('button', { name: /Add user|New key/ })).toHaveCount(0)
  }
  await context.close()
})
