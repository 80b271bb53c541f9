import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'
import { importRecord } from '#test/support/import-record.ts'

/** The reader looks every 15 s where calls are plenty. */
const INTERVAL_MS = 15_000

test('a new record shows on an open feed within an interval of the reader, and moves nothing', async ({
  feedPage: page,
  lantern,
}) => {
  const links = page.getByRole('row').getByRole('link')
  await expect(links.first()).toBeVisible()
  const title = await links.first().innerText()
  const news = `Fenwold Dairy ${randomUUID().slice(0, 8)}`
  await importRecord(lantern, news)

  const button = page.getByRole('button', { name: /^\d+\+? new claims?$/ })
  await expect(button).toBeVisible({ timeout: 2 * INTERVAL_MS })
  await expect(links.first()).toHaveText(title)
  await button.press('Enter')
  await expect(page.getByRole('link', { name: news })).toBeVisible()
})

test('any open page reports an import, with a link to the new records', async ({
  signedInPage: page,
  lantern,
}) => {
  await page.goto('/metrics')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const news = `Fenwold Dairy ${randomUUID().slice(0, 8)}`
  await importRecord(lantern, news)

  const link = page.getByRole('link', { name: '1 record added', exact: true })
  await expect(link).toBeVisible()
  await link.press('Enter')
  const record = page.getByRole('link', { name: news })
  // Where the window has not read it yet, the feed offers it as soon as it has.
  const offer = page.getByRole('button', { name: /^\d+\+? new claims?$/ })
  await expect(record.or(offer).first()).toBeVisible({ timeout: 2 * INTERVAL_MS })
  if (await offer.isVisible()) await offer.press('Enter')
  await expect(record).toBeVisible()
})
