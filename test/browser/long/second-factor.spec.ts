import { expect, type Page } from '@playwright/test'
import { generateSync } from 'otplib'
import { test } from '#test/support/browser-test.ts'
import { inviteUser } from '#test/support/invite-user.ts'
import { ADMIN, type RunningLantern, startLantern } from '#test/support/start-lantern.ts'

const TIMEOUT_MS = 120_000
type Person = { email: string; password: string }

let strict: RunningLantern | null = null
test.afterEach(async () => {
  await strict?.stop()
  strict = null
})

const codeOf = (secret: string, inSeconds: number) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + inSeconds })

/** A device of the browser's own that makes passkeys and asks nobody. */
async function addAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function typePassword(page: Page, { email, password }: Person, url = ''): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).press('Enter')
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /account of/ }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL(/\/sign-in/)
}

/** Answers what a page asks before it does something: the focus begins at Cancel. */
async function confirm(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('button', { name, exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
}

async function readKey(page: Page): Promise<string> {
  return ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '')
}

test('a passkey and an app are set up by keyboard, sign in, and go again', async ({
  signedInPage: admin,
  browser,
  lantern,
}) => {
  test.setTimeout(TIMEOUT_MS)
  const context = await browser.newContext({ baseURL: lantern.url })
  const page = await context.newPage()
  await addAuthenticator(page)
  const person = await inviteUser(admin, page, 'passkey@lantern.example')

  await page.goto('/settings')
  const card = page.getByRole('region', { name: 'Second factor' })
  await card.getByRole('button', { name: 'Add passkey' }).press('Enter')
  await expect(page.getByLabel('Name of the passkey')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Give it a name, such as the device that holds it.')).toBeVisible()
  await page.keyboard.type('Work laptop')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
  const [recoveryCode = '', otherCode = ''] = await page
    .getByRole('list', { name: 'Recovery codes' })
    .getByRole('listitem')
    .allTextContents()
  await page.getByRole('button', { name: 'I have saved these codes' }).press('Enter')
  await expect(card).toContainText('Work laptop')
  await card.getByRole('button', { name: 'Rename the passkey Work laptop' }).press('Enter')
  await page.getByLabel('Name of the passkey').fill('Home laptop')
  await page.keyboard.press('Enter')
  await expect(card).toContainText('Home laptop')

  await card.getByRole('button', { name: 'Set up app' }).press('Enter')
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible()
  const secret = await readKey(page)
  await page.getByLabel('6-digit code').fill('000 000')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/not the code that the app shows now/)).toBeVisible()
  await page.getByLabel('6-digit code').fill(codeOf(secret, 0))
  await page.keyboard.press('Enter')
  await expect(card.getByRole('button', { name: 'Remove the authenticator app' })).toBeVisible()

  await signOut(page)
  await typePassword(page, person)
  await page.getByRole('button', { name: 'Use a passkey' }).press('Enter')
  await page.waitForURL((url) => url.pathname !== '/sign-in')

  await signOut(page)
  await typePassword(page, person)
  await expect(page.getByLabel('Code of your authenticator app')).toBeVisible()
  // A reload in between loses nothing.
  await page.reload()
  await expect(page.getByLabel('Code of your authenticator app')).toBeFocused()
  await page.keyboard.type(codeOf(secret, 0))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('used before')
  await page.getByLabel('Code of your authenticator app').fill(codeOf(secret, 30))
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname !== '/sign-in')

  await signOut(page)
  await typePassword(page, person)
  await page.getByRole('link', { name: 'Use a recovery code' }).press('Enter')
  await page.getByLabel('Recovery code').fill(recoveryCode)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname !== '/sign-in')
  await page.goto('/settings')
  await expect(card).toContainText('9 of 10 left')
  await card.getByRole('button', { name: 'Remove the passkey Home laptop' }).press('Enter')
  await confirm(page, 'Remove passkey')
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByRole('button', { name: 'Use a passkey' }).press('Enter')
  await expect(card.getByText('Home laptop')).toHaveCount(0)
  await card.getByRole('button', { name: 'Remove the authenticator app' }).press('Enter')
  await confirm(page, 'Remove app')
  await dialog.getByRole('button', { name: 'Use a recovery code' }).press('Enter')
  await dialog.getByLabel('Recovery code').fill(otherCode)
  await page.keyboard.press('Enter')
  await expect(card.getByText('Off', { exact: true })).toBeVisible()
  await context.close()
})

test('a user whose role requires a second factor must set one up, and then continues', async ({ page }) => {
  test.setTimeout(TIMEOUT_MS)
  strict = await startLantern({ settings: { SECOND_FACTOR_REQUIRED: 'admin' } })
  await typePassword(page, ADMIN, strict.url)
  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  // No other page opens before.
  await page.goto(`${strict.url}/threats`)
  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await page.getByRole('button', { name: 'Use an authenticator app' }).press('Enter')
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible()
  await page.getByLabel('6-digit code').fill(codeOf(await readKey(page), 0))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'I have saved these codes' }).press('Enter')
  await page.waitForURL((url) => url.pathname === '/threats')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('an old session must confirm the identity, and the form is sent after that', async ({
  signedInPage: admin,
  browser,
  lantern,
}) => {
  test.setTimeout(TIMEOUT_MS)
  const context = await browser.newContext({ baseURL: lantern.url })
  const page = await context.newPage()
  const { password } = await inviteUser(admin, page, 'proof@lantern.example')
  await page.goto('/settings')
  // As the server answers ten minutes later, once.
  let isOld = true
  await page.route('**/bff/profile/password', async (route) => {
    if (!isOld) return route.continue()
    const problem = { type: 'about:blank', title: 'Confirm that it is you', status: 403, detail: 'Confirm.' }
    const body = JSON.stringify({ ...problem, code: 'fresh_proof_needed' })
    return route.fulfill({ status: 403, contentType: 'application/problem+json', body })
  })
  page.on('response', (response) => {
    if (response.url().endsWith('/bff/proof') && response.status() === 204) isOld = false
  })
  const next = 'four other words of a viewer'
  await page.getByLabel('Current password').fill(password)
  await page.getByLabel('New password').fill(next)
  await page.keyboard.press('Enter')

  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(dialog.getByLabel('Password')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByText(/^Not changed\. Confirm that it is you/)).toBeVisible()
  await expect(page.getByLabel('New password')).toHaveValue(next)
  await page.getByRole('button', { name: 'Change password' }).press('Enter')
  await expect(dialog.getByLabel('Password')).toBeFocused()
  await page.keyboard.type('not it')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('This is not your password.')).toBeVisible()
  await dialog.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Changed. Every other browser is signed out.')).toBeVisible()
  await context.close()
})

test('a session ended from the list ends at once in its own tab', async ({
  signedInPage: admin,
  browser,
  lantern,
}) => {
  test.setTimeout(TIMEOUT_MS)
  const [one, other] = await Promise.all([0, 1].map(() => browser.newContext({ baseURL: lantern.url })))
  const [mine, lost] = [await one?.newPage(), await other?.newPage()]
  if (!mine || !lost) throw new Error('no pages')
  const person = await inviteUser(admin, lost, 'lost@lantern.example')
  await typePassword(mine, person)
  await mine.waitForURL((url) => url.pathname !== '/sign-in')
  await mine.goto('/settings')
  const card = mine.getByRole('region', { name: 'Where you are signed in' })
  await expect(card.getByRole('listitem')).toHaveCount(2)
  await expect(card.getByRole('listitem').first()).toContainText('This one')
  await card.getByRole('button', { name: /^End the session of/ }).press('Enter')
  await expect(card.getByRole('listitem')).toHaveCount(1)
  await lost.waitForURL(/\/sign-in/, { timeout: 10_000 })
  await one?.close()
  await other?.close()
})
