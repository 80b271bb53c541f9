import { expect } from '@playwright/test'
import { generateSync } from 'otplib'
import { totpSetupSchema } from '#contract/bff/factor.ts'
import { signIn, test } from '#test/support/browser-test.ts'
import { addUser } from '#test/support/invite-user.ts'
import { ADMIN } from '#test/support/start-lantern.ts'

test('a person signs in through the form and stays signed in over a reload', async ({ page }) => {
  await signIn(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByLabel('Password')).toHaveCount(0)
})

test('the link that the start prints signs in, once', async ({ page, lantern, browser }) => {
  const link = /http\S+#link=\S+/.exec(lantern.output())?.[0] ?? ''
  await page.goto(link)
  await page.waitForURL((url) => url.pathname !== '/sign-in')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  const elsewhere = await browser.newPage()
  await elsewhere.goto(link)
  await expect(elsewhere.getByLabel('Password')).toBeVisible()
  await elsewhere.close()
})

test('sign-in needs no script, second tries and the way back included', async ({ browser, lantern }) => {
  const context = await browser.newContext({ baseURL: lantern.url, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/threats?country=DE&q=a%20b')
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill('wrong')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('The email or the password is wrong.')
  await expect(page.getByLabel('Email')).toHaveValue(ADMIN.email)
  await expect(page.getByLabel('Password')).toBeFocused()
  await page.keyboard.type(ADMIN.password)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL('/threats?country=DE&q=a%20b')
  await context.close()
})

test('an invitation and a second factor need no script', async ({
  signedInPage: admin,
  browser,
  lantern,
}) => {
  const person = { email: 'no-script@lantern.example', password: 'four words without script' }
  const invitation = await addUser(admin, person.email)
  const context = await browser.newContext({ baseURL: lantern.url, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(invitation)
  await page.getByText('Use a link', { exact: true }).click()
  await page.getByLabel('Link', { exact: true }).fill(invitation)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose a password')
  await expect(page.getByLabel('New password')).toBeFocused()
  await page.keyboard.type('short')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('New password')).toHaveAccessibleDescription(/^Use 12 characters or more/)
  await page.getByLabel('New password').fill(person.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('/welcome')

  const headers = { 'x-lantern': '1' }
  const setup = await context.request.post('/bff/factors/totp', { headers })
  const { secret } = totpSetupSchema.parse(await setup.json())
  const codeOf = (inSeconds: number) =>
    generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + inSeconds })
  const confirmed = await context.request.put('/bff/factors/totp', { headers, data: { code: codeOf(0) } })
  expect(confirmed.status()).toBe(200)
  await context.clearCookies()

  await page.goto('/sign-in?redirect=%2Fthreats%3Fcountry%3DDE')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Use a recovery code' }).click()
  await expect(page.getByLabel('Recovery code')).toBeFocused()
  await page.getByRole('link', { name: 'Use a code of your app' }).click()
  await expect(page.getByLabel('Code of your authenticator app')).toBeFocused()
  await page.keyboard.type('000 000')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('The code is wrong')
  await page.getByLabel('Code of your authenticator app').fill(codeOf(30))
  await page.keyboard.press('Enter')
  await page.waitForURL('/threats?country=DE')
  await context.close()
})

test('an empty field is named without asking the server', async ({ page }) => {
  await page.goto('/sign-in')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.getByLabel('Email').fill('ada@lantern.example')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByLabel('Password')).toBeFocused()
  await expect(page.getByLabel('Password')).toHaveAccessibleDescription('Enter your password.')
  const red = await page.getByText('Enter your password.').evaluate((note) => getComputedStyle(note).color)
  await expect(page.getByLabel('Password')).toHaveCSS('outline-color', red)
  expect(asked).toEqual([])
})

test('the whole sign-in page has at most 15 kB, and the app loads in the background', async ({
  page,
  context,
  lantern,
}) => {
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  const sizes = new Map<string, number>()
  const urls = new Map<string, { url: string; isAhead: boolean }>()
  session.on('Network.requestWillBeSent', ({ requestId, request }) =>
    urls.set(requestId, { url: request.url, isAhead: request.initialPriority === 'VeryLow' }),
  )
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    sizes.set(requestId, encodedDataLength),
  )
  const faults: string[] = []
  page.on('console', (message) => faults.push(message.text()))
  await page.goto('/sign-in')
  const loaded = () => [...sizes].map(([id, bytes]) => ({ bytes, ...urls.get(id) }))
  await expect.poll(() => loaded().some(({ url }) => /app-.*\.js$/.test(url ?? ''))).toBe(true)
  await expect.poll(() => urls.size - sizes.size).toBe(0)

  const own = loaded().filter(({ url }) => !url?.includes('/assets/'))
  expect(own.map(({ url }) => url?.replace(lantern.url, '')).toSorted()).toEqual([
    '/sign-in',
    '/sign-in.js',
    '/theme.js',
  ])
  // The browser fetches the icon where nobody sees it.
  const icon = (await (await context.request.get('/icon.svg')).body()).length
  expect(own.reduce((sum, { bytes }) => sum + bytes, icon)).toBeLessThan(15_000)
  expect(faults).toEqual([])
})

test('a signed-in page sends no request to another origin, and logs no error', async ({
  signedInPage,
  lantern,
}) => {
  const strays: string[] = []
  signedInPage.on('request', (request) => {
    if (new URL(request.url()).origin !== lantern.url) strays.push(request.url())
  })
  signedInPage.on('console', (message) => {
    if (message.type() === 'error') strays.push(message.text())
  })
  await signedInPage.goto('/')
  await expect(signedInPage.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(signedInPage.getByRole('application').first()).toBeVisible()
  expect(strays).toEqual([])
})
