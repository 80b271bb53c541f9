import { expect, type Page } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'

const field = (page: Page) => page.getByRole('combobox', { name: 'Search', exact: true })
const firstThreat = (page: Page) => page.getByRole('row').getByRole('link').first()

test('filters are removed one after the other by keyboard, and the focus is never lost', async ({
  signedInPage: page,
}) => {
  await page.goto(`/threats?${new URLSearchParams({ q: 'data country:DE,FR -university' })}`)
  await expect(firstThreat(page)).toBeVisible()
  await page.getByRole('button', { name: 'Remove Country: Germany, France' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/q=data\+-university$/)
  await expect(page.getByRole('button', { name: 'Remove Search: -university' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/q=data$/)
  await expect(page.getByRole('button', { name: 'Remove Search: data' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/threats(\?view=all)?$/)
  await expect(field(page)).toBeFocused()

  await page.goto('/threats?q=zzzzunheardof')
  await page.getByRole('button', { name: 'Remove this filter: Search: zzzzunheardof' }).focus()
  await page.keyboard.press('Enter')
  await expect(firstThreat(page)).toBeVisible()
  await expect(field(page)).toBeFocused()
})

test('two links lead past navigation and filters to the first threat', async ({ feedPage: page }) => {
  await expect(firstThreat(page)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to the list' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(firstThreat(page)).toBeFocused()
  await expect(page).toHaveURL(/\/threats$/)
})

test('a user reaches the first result by keyboard, and Escape keeps the search', async ({
  feedPage: page,
}) => {
  await expect(firstThreat(page)).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('data country:US')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Understood as data and country is United States/)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await expect(firstThreat(page)).toBeFocused()
  await expect(field(page)).toHaveValue('data country:US')
  await expect(page).toHaveURL(/q=data/)
})

test('a dialog that ends with what it was opened for gives back the focus', async ({
  signedInPage: page,
}) => {
  await page.goto('/threats?country=DE')
  await expect(firstThreat(page)).toBeVisible()
  const views = page.getByRole('button', { name: /^Views/ })
  await views.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save as a new view…' }).press('Enter')
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type('Germany')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Save view' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Views, Germany' })).toBeFocused()

  await firstThreat(page).press('Enter')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toBeFocused()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('add a comment')
  await expect(page.getByRole('option', { name: 'Add a comment: this threat' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Comment for the team')).toBeFocused()
  await page.keyboard.type('Seen')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Comment added')).toBeVisible()
  await expect(heading).toBeFocused()
})
