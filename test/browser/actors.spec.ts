import { expect, type Page } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'
import { tabTo } from '#test/support/tab-to.ts'

const actorLinks = (page: Page) => page.getByRole('cell').getByRole('link')
const industries = (page: Page) =>
  page.getByRole('list', { name: 'Targeted industries, cases in 30 days' }).getByRole('listitem')

test('a reader finds which sector an actor hits, by keyboard', async ({ signedInPage: page }) => {
  await page.goto('/actors')
  const name = await actorLinks(page).nth(1).innerText()
  await page.getByRole('searchbox', { name: 'Search' }).focus()
  await page.keyboard.type(name)
  await expect(page).toHaveURL(/\/actors\?q=/)
  const found = page.getByRole('cell').getByRole('link', { name, exact: true })
  await expect(found).toBeVisible()
  await tabTo(page, found)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

  await tabTo(page, industries(page).first().getByRole('link'))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/threats\?.*industry=/)
  await expect(page.getByRole('cell').getByRole('link').first()).toBeVisible()
})
