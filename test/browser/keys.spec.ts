import { expect } from '@playwright/test'
import { test, untilWindowIsFilled } from '#test/support/browser-test.ts'

test('an admin replaces the key, the page goes on, and the key is never seen again', async ({
  signedInPage: page,
  context,
}) => {
  await page.goto('/settings?tab=api')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill('The dashboard')
  await page.getByLabel('Team').fill('blue-team')
  await page.getByLabel('Earlier plan').selectOption('enterprise')
  await page.getByRole('button', { name: 'Make key' }).click()
  const token = await page.getByLabel('Key', { exact: true }).inputValue()
  expect(token.length).toBeGreaterThan(20)
  await page.keyboard.press('Escape')

  const answers: Promise<string>[] = []
  page.on('response', (response) => {
    if (response.url().includes('/bff/') && !response.url().endsWith('/live'))
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

  await page.goto('/settings?tab=audit')
  await expect(page.getByRole('row').filter({ hasText: /key/i }).first()).toBeVisible()
  expect(await page.content()).not.toContain(token)
  await page.goto('/settings?tab=api')
  await v1.getByLabel('New API key').fill('revoked-long-ago')
  await v1.getByRole('button', { name: 'Test and replace' }).click()
  await expect(v1.getByText(/refuses/)).toBeVisible()
  await expect(v1).toContainText('Key works')
  await v1.getByRole('button', { name: 'Remove, and use the server’s own' }).click()
  await expect(v1).toContainText('made for Lantern’s own service')
  // Another key reads the window anew, on which the tests that follow count.
  await untilWindowIsFilled(context)
})
