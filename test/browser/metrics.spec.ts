import { expect } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'

test('a manager prints the metrics: two pages, dated, with charts and without tools', async ({
  signedInPage: page,
}) => {
  await page.goto('/metrics')
  await expect(page.getByRole('region', { name: 'Vendor account' })).toContainText('Total threats')
  await expect(
    page.getByRole('region', { name: 'Threats by severity' }).getByRole('application'),
  ).toBeVisible()

  const work = page.getByRole('region', { name: 'Work of the team' })
  await expect(work).toContainText('Open cases by age')
  await page.emulateMedia({ media: 'print' })
  await expect(work).toBeVisible()
  await expect(work.getByRole('button')).toBeHidden()
  const account = await page.getByRole('region', { name: 'Vendor account' }).innerText()
  expect(account).toMatch(/Last threat\s+\d+ \w+ \d{4}\s+\d\d:\d\d UTC\s+API calls today/)
  await expect(page.getByText(/^Lantern\. Printed .*\d{4}/)).toBeVisible()
  await expect(page.getByText(/ada@lantern\.example/)).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
  for (const format of ['A4', 'Letter']) {
    const pdf = (await page.pdf({ format })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g), format).toHaveLength(2)
  }
})

test('the button prints all charts, also those that were never scrolled into view', async ({
  signedInPage: page,
}) => {
  await page.setViewportSize({ width: 390, height: 700 })
  await page.addInitScript(() => {
    window.print = () => {
      const charts = document.querySelectorAll('[role="application"]').length
      document.documentElement.setAttribute('data-printed', `${charts} charts`)
    }
  })
  await page.goto('/metrics')
  await expect(page.getByRole('region', { name: 'Vendor account' })).toContainText('Total threats')
  await page.getByRole('button', { name: 'Print' }).press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-printed', '2 charts')
})

test('prints a chosen month, which each page names', async ({ signedInPage: page }) => {
  await page.goto('/metrics')
  const picker = page.getByRole('combobox', { name: 'Period' })
  await expect(picker).toBeVisible()
  const [, month = ''] = await picker.locator('optgroup[label="Month"] option').allTextContents()
  await picker.selectOption(month)
  await expect(page).toHaveURL(/\/metrics\?period=\d{4}-\d\d$/)
  const part = page.getByRole('region', { name: 'Threats by severity' })
  await expect(part).toContainText(month)
  await expect(part.getByRole('application')).toBeVisible()

  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText(month, { exact: true }).locator('visible=true')).toHaveCount(1)
  await expect(page.getByText(`${month}, in cases`)).toBeVisible()
  await expect(picker).toBeHidden()
  for (const format of ['A4', 'Letter']) {
    const pdf = (await page.pdf({ format })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g), format).toHaveLength(2)
  }
})
