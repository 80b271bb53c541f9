import { expect, type Page } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'

const total = (page: Page) => page.getByText(/^[\d,]+ cases?(, [\d,]+ claims)?$/)

for (const period of ['last 24 hours', 'last 7 days', 'last 30 days']) {
  test(`the figure of the ${period} leads to exactly the threats that it counts`, async ({
    signedInPage: page,
  }) => {
    await page.goto('/')
    const figure = page.getByRole('link', { name: new RegExp(`cases?, ${period}`) })
    const count = (await figure.innerText()).match(/[\d,]+/)?.[0] ?? ''
    expect(Number(count.replaceAll(',', ''))).toBeGreaterThan(0)
    await figure.click()
    await expect(page).toHaveURL(/\/threats\?/)
    await expect(total(page)).toHaveText(new RegExp(`^${count} cases?(, [\\d,]+ claims?)?$`))
  })
}

for (const list of ['Top actors', 'Top countries', 'Top industries', 'Severities']) {
  test(`a bar of ${list.toLowerCase()} leads to exactly the threats that it counts`, async ({
    signedInPage: page,
  }) => {
    await page.goto('/')
    const bar = page
      .getByRole('list', { name: `${list} by cases, the last 30 days` })
      .getByRole('listitem')
      .first()
    const count = (await bar.innerText()).split('\n').find((text) => /^[\d,]+$/.test(text))
    await bar.getByRole('link').click()
    await expect(page).toHaveURL(/\/threats\?/)
    await expect(total(page)).toHaveText(new RegExp(`^${count} cases?(, [\\d,]+ claims?)?$`))
  })
}

test('prints on two sheets, dated, without what only a screen can use', async ({ signedInPage: page }) => {
  // The line with the age of the figures is at its longest.
  const anHourAgo = new Date(Date.now() - 59 * 60_000).toISOString()
  await page.route('**/bff/overview?**', async (route) => {
    const response = await route.fetch()
    const { freshness, ...figures } = await response.json()
    const json = { ...figures, freshness: { ...freshness, checked: { ...freshness.checked, at: anHourAgo } } }
    await route.fulfill({ response, json })
  })
  await page.goto('/')
  await expect(page.getByText(/were compared with the vendor 59 min ago/)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Severities by cases, the last 30 days' })).toBeVisible()
  await expect(page.getByRole('application').first()).toBeVisible()
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
  expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(2)

  await expect(page.getByRole('link', { name: 'Import records of your own' })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText(/^Lantern\. Printed \d+ \w+ \d{4}/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeHidden()
  await expect(page.getByText(/^Demo data/)).toBeVisible()
  for (const name of ['Import records of your own', 'Make a list'])
    await expect(page.getByRole('link', { name, includeHidden: true })).toBeHidden()
})

for (const path of ['/', '/actors', '/countries']) {
  test(`period and count are on the line of the heading at 1024 px: ${path}`, async ({
    signedInPage: page,
  }) => {
    await page.setViewportSize({ width: 1024, height: 768 })
    await page.goto(path)
    await expect(page.getByText(/^Updated/).first()).toBeVisible()
    const heading = await page.getByRole('heading', { level: 1 }).boundingBox()
    const claims = await page.getByRole('button', { name: 'Claims', exact: true }).boundingBox()
    expect(claims?.y).toBeLessThan((heading?.y ?? 0) + (heading?.height ?? 0))
  })
}

test('on a phone each figure has the whole width, and no line of it breaks', async ({
  signedInPage: page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  const before = page.getByRole('link', { name: /cases? in the same part of the 30 days before/ })
  await expect(before).toBeVisible()
  const lines = await before.evaluate((link) => {
    const range = document.createRange()
    range.selectNodeContents(link)
    return new Set([...range.getClientRects()].map(({ top }) => top)).size
  })
  expect(lines).toBe(1)
})
