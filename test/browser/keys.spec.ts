import { expect } from '@playwright/test'
import { signIn, test } from '#test/support/browser-test.ts'
import { ADMIN, type RunningLantern, startLantern } from '#test/support/start-lantern.ts'

const TIMEOUT_MS = 120_000

let team: RunningLantern | null = null
test.afterEach(async () => {
  await team?.stop()
})

test("an admin replaces the key of a team's service, and the key is never shown again", async ({
  signedInPage: page,
  lantern,
}) => {
  test.setTimeout(TIMEOUT_MS)
  async function makeKey(name: string): Promise<string> {
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Team').fill('blue-team')
    await page.getByLabel('v1 plan').selectOption('defend')
    await page.getByLabel('Earlier plan').selectOption('enterprise')
    await page.getByRole('button', { name: 'Make key' }).click()
    const token = await page.getByLabel('Key', { exact: true }).inputValue()
    await page.keyboard.press('Escape')
    return token
  }
  await page.goto('/settings?tab=api')
  const [first, token] = [await makeKey('The dashboard'), await makeKey('The next one')]
  expect(token.length).toBeGreaterThan(20)
  await expect(page.getByLabel('New API key')).toHaveCount(0)

  const settings = { UPSTREAM_URL: lantern.serviceUrl, UPSTREAM_API_KEY: first }
  team = await startLantern({ settings })
  const { url } = team
  await signIn(page, ADMIN, url)
  await page.goto(`${url}/settings?tab=api`)

  const answers: Promise<string>[] = []
  page.on('response', (response) => {
    if (response.url().includes('/bff/') && new URL(response.url()).pathname !== '/bff/live')
      answers.push(response.text().catch(() => ''))
  })
  const v1 = page.getByRole('region', { name: 'API v1' })
  await v1.getByLabel('New API key').fill(token)
  await v1.getByRole('button', { name: 'Test and replace' }).press('Enter')
  await expect(v1.getByText('Replaced. It is in use everywhere.')).toBeVisible()
  await expect(v1).toContainText('Key works')
  await expect(v1.getByLabel('New API key')).toHaveValue('')

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Threats' }).click()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect((await Promise.all(answers)).filter((text) => text.includes(token))).toEqual([])
  expect(
    await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
  ).not.toContain(token)

  await page.goto(`${url}/settings?tab=audit`)
  await expect(page.getByRole('row').filter({ hasText: /key/i }).first()).toBeVisible()
  expect(await page.content()).not.toContain(token)
  await page.goto(`${url}/settings?tab=api`)
  await v1.getByLabel('New API key').fill('revoked-long-ago')
  await v1.getByRole('button', { name: 'Test and replace' }).click()
  await expect(v1.getByText(/refuses/)).toBeVisible()
  await expect(v1).toContainText('Key works')
  await v1.getByRole('button', { name: 'Remove, and use the server’s own' }).click()
  await expect(v1).toContainText('from the environment of the server')
})
