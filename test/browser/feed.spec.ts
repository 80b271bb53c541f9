import { expect, type Page } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'
import { chooseValues } from '#test/support/choose-values.ts'
import { addList, entryOf, readVictims, removeLists } from '#test/support/list-requests.ts'

const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('link') })
const titles = (page: Page) => rows(page).getByRole('link')
const status = (page: Page) => page.getByText(/^(about )?[\d,]+ cases?(, [\d,]+ claims)?$/)

test('the feed opens first, with its count, its age and that it is demo data', async ({ feedPage: page }) => {
  await expect(page).toHaveURL(/\/threats$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Threats' })).toBeVisible()
  await expect(page).toHaveTitle(/^Threats/)
  await expect(status(page)).toBeVisible()
  await expect(page.getByText(/^Updated/)).toBeVisible()
  await expect(page.getByText(/^Demo data/)).toBeVisible()
  expect(await rows(page).count()).toBeGreaterThan(5)
})

test('a print shows the matching lists of threats with reasons, in rows of full height', async ({
  feedPage: page,
}) => {
  const entries = (await readVictims(page)).map((name) => entryOf(name))
  await addList(page, { name: 'Printed', kind: 'supplier', isShared: false, entries })
  await page.goto('/threats?q=list:*')
  const reason = page.getByText(/ \(same name .*, list Printed\)$/).first()
  await expect(async () => {
    await page.reload()
    await expect(reason).toBeAttached({ timeout: 5_000 })
  }).toPass()

  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 794, height: 1_123 })
  const row = page.getByRole('row').filter({ has: reason }).first()
  const outer = await row.boundingBox()
  const inner = await reason.boundingBox()
  const end = (box: typeof outer) => (box ? box.y + box.height : Number.NaN)
  expect(inner?.height).toBeGreaterThan(10)
  expect(end(inner)).toBeLessThanOrEqual(end(outer))

  await removeLists(page)
})

test('country, category and date narrow the feed, and the address contains them', async ({
  feedPage: page,
}) => {
  const unfiltered = await countOf(page)
  await chooseValues(page, 'Category', 'Ransomware')
  await chooseValues(page, 'Country', 'United States')
  const from = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10)
  await page.getByLabel('From').fill(from)
  await page.getByLabel('From').blur()

  await expect(page).toHaveURL(new RegExp(`category=Ransomware&country=US&from=${from}`))
  await expect(async () => expect(await countOf(page)).toBeLessThan(unfiltered)).toPass()
  await expect(rows(page).first()).toContainText('United States')
  await expect(rows(page).first()).toContainText('Ransomware')

  const filtered = await countOf(page)
  await page.reload()
  await expect(page.getByLabel('Country')).toHaveValue('United States')
  await expect(async () => expect(await countOf(page)).toBe(filtered)).toPass()
})

test('search finds a title by its words, and Back undoes an opened threat only', async ({
  feedPage: page,
}) => {
  const title = await titles(page).first().innerText()
  const word = title.match(/\p{L}{5,}/u)?.[0] ?? title
  const unfiltered = await countOf(page)
  await page.keyboard.press('/')
  await expect(page.getByLabel('Search')).toBeFocused()
  await page.keyboard.type(word)
  await expect(page).toHaveURL(/q=/)
  // The rows of before stay until those of the search come.
  await expect(async () => expect(await countOf(page)).toBeLessThan(unfiltered)).toPass()

  const opened = await titles(page).nth(0).innerText()
  await titles(page).nth(0).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(opened)
  await page.goBack()
  await expect(page).toHaveURL(/q=/)
  await expect(page.getByLabel('Search')).toHaveValue(word)
})

test('Back returns to the row that was left, far down the list', async ({ feedPage: page }) => {
  await expect(rows(page).first()).toBeVisible()
  for (let step = 0; step < 12; step += 1) {
    await page.mouse.wheel(0, 1200)
    await page.waitForTimeout(150)
  }
  const place = await page.evaluate(() => scrollY)
  expect(place).toBeGreaterThan(3000)

  await page.keyboard.press('j')
  // By its address: a title with signs for unseen characters has another accessible name than text.
  const left = await page.locator(':focus').getAttribute('href')
  const title = await page.locator(':focus').innerText()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
  await page.goBack()
  await expect(page.locator(`a[href="${left}"]`).first()).toBeInViewport()
  const returned = await page.evaluate(() => scrollY)
  expect(Math.abs(returned - place)).toBeLessThan(400)
})

test('endless paging never repeats and never skips', async ({ feedPage: page }) => {
  await chooseValues(page, 'Category', 'DDoS')
  await expect(page).toHaveURL(/category=DDoS/)
  const total = await countOf(page)
  expect(total).toBeGreaterThan(100)

  const linkByRow = new Map<number, string>()
  await expect(async () => {
    for (const { row, href } of await drawnRows(page)) linkByRow.set(row, href)
    await page.mouse.wheel(0, 500)
    expect(linkByRow.size).toBe(total)
  }).toPass({ timeout: 45_000, intervals: [30] })
  expect(new Set(linkByRow.values()).size).toBe(total)
})

test('a selection survives paging and a change of filter', async ({ feedPage: page }) => {
  await rows(page).nth(1).getByRole('checkbox').check()
  await page.mouse.wheel(0, 6000)
  await chooseValues(page, 'Category', 'Data Breach')
  await expect(page.getByText('1 case selected')).toBeVisible()
})

test('a link with nonsense in it still opens', async ({ signedInPage: page }) => {
  await page.goto('/threats?country=Nowhere&from=yesterday&set=v9&severity=&q=%2F%22acme%25%5C')
  await expect(page.getByRole('heading', { level: 1, name: 'Threats' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a deep link survives sign-in, query string included', async ({ page, lantern }) => {
  await page.goto('/threats?category=DDoS&country=US')
  await page.getByLabel('Email').fill('ada@lantern.example')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(`${lantern.url}/threats?category=DDoS&country=US`)
})

/** Row numbers and links of the rows that are drawn right now. */
function drawnRows(page: Page): Promise<{ row: number; href: string }[]> {
  return rows(page).evaluateAll((elements) =>
    elements.map((element) => ({
      row: Number(element.getAttribute('aria-rowindex')),
      href: element.querySelector('a')?.pathname ?? '',
    })),
  )
}

async function countOf(page: Page): Promise<number> {
  return Number.parseInt((await status(page).innerText()).replace(/^about |,/g, ''), 10)
}
