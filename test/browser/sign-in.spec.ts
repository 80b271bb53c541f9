import { expect } from '@playwright/test'
import { signIn, test } from '#test/support/browser-test.ts'

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

test('a signed-in page asks nothing of any other origin, and raises no error', async ({
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
