import { expect, test } from '@playwright/test'
import { CLIENT, startIdentityProvider } from '#test/support/fake-identity-provider.ts'
import { startLantern } from '#test/support/start-lantern.ts'

// The provider is on 127.0.0.1 and Lantern on localhost: to the browser they are different sites.
test('a person signs in by a provider on another site, and returns to the requested page', async ({
  browser,
}) => {
  test.setTimeout(120_000)
  const provider = await startIdentityProvider()
  provider.person = {
    sub: 'p-1',
    email: 'grace@lantern.example',
    email_verified: true,
    name: 'Grace Example',
  }
  const lantern = await startLantern({
    settings: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.clientId,
      OIDC_CLIENT_SECRET: CLIENT.clientSecret,
    },
  })
  try {
    const context = await browser.newContext({ baseURL: lantern.url })
    const page = await context.newPage()
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))

    await page.goto('/sign-in?redirect=%2Fsettings%3Ftab%3Dprofile')
    await page.getByRole('button', { name: 'Sign in with single sign-on' }).click()
    await page.waitForURL('**/settings?tab=profile')
    await expect(page.getByText('grace@lantern.example')).toBeVisible()
    await page.reload()
    await expect(page.getByText('grace@lantern.example')).toBeVisible()
    expect(errors).toEqual([])
    const cookies = await context.cookies()
    const lax = cookies.filter(({ sameSite }) => sameSite !== 'Strict')
    expect(lax.map(({ name, value }) => [name, value])).toEqual([['lantern_hint', '1']])

    await page.getByRole('button', { name: /account of Grace Example/ }).click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    provider.person = null
    await page.getByRole('button', { name: 'Sign in with single sign-on' }).click()
    await expect(page.getByRole('alert')).toContainText('did not let you in')
    await context.close()
  } finally {
    await lantern.stop()
    await provider.close()
  }
})
