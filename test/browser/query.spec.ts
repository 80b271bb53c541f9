import { expect, type Page } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'

const field = (page: Page) => page.getByRole('combobox', { name: 'Search', exact: true })
const options = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
const searchOf = (page: Page) => new URL(page.url()).searchParams.get('q')

for (const width of [1440, 390] as const) {
  test(`a user writes a search with the keyboard alone, ${width} px`, async ({ signedInPage: page }) => {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/threats')
    await expect(page.getByRole('row').getByRole('link').first()).toBeVisible()
    const complete = async (typed: string, offered: RegExp) => {
      await page.keyboard.type(typed)
      await expect(options(page).first()).toHaveText(offered)
      await expect(page.getByText('Counting…')).toHaveCount(0)
      await expectInside(page, width)
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    }

    await page.keyboard.press('/')
    await expect(field(page)).toBeFocused()
    await complete('hospital coun', /^country:/)
    await complete('germ', /^Germany/)
    await complete(',austri', /^Austria/)
    await complete(' aft', /^after:/)
    await complete('yest', /^yesterday/)
    await page.keyboard.type(' -university')
    await page.keyboard.press('Enter')

    const question = 'hospital country:DE,AT after:yesterday -university'
    await expect.poll(() => searchOf(page)).toBe(question)
    await expect(
      page.getByText(/^Understood as hospital and .*Germany or Austria.* and not university$/),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: 'Remove Country: Germany, Austria' })).toBeAttached()

    await page.keyboard.type(' severity:>=hgih')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Compare with low, medium, high, critical.')).toBeVisible()
    // Said once, and nothing of the question before stands under it.
    await expect(page.getByText('Compare with low, medium, high, critical.')).toHaveCount(1)
    await expect(page.getByText('Correct the search to see threats.')).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(0)
    await expect(page.getByRole('alert')).toHaveCount(0)
    expect(searchOf(page)).toBe(`${question} severity:>=hgih`)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Write >=high' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect.poll(() => searchOf(page)).toBe(`${question} severity:>=high`)
    await expect(field(page)).toBeFocused()
  })
}

test('offers and finds parts of threats, and shows for how many threats they exist', async ({
  signedInPage: page,
}) => {
  // What other tests import.
  const others = '-"Fenwold Dairy"'
  await page.goto(`/threats?q=${others}`)
  const status = page.getByText(/^[\d,]+ cases?(, [\d,]+ claims)?$/)
  await expect(status).toBeVisible()
  const all = await status.textContent()
  await field(page).fill('has:')
  await expect(options(page)).toHaveText(['comment', 'analysis', 'evidence'])
  await field(page).fill(`has:analysis ${others}`)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Understood as with an analysis')).toBeVisible()
  // All of the demo’s threats have one.
  await expect(status).toHaveText(all ?? '')

  await page.goto(`/threats?q=-has:analysis ${others}`)
  await expect(page.getByText('No threats match')).toBeVisible()
  await page.goto('/threats?q=has:evidence')
  await expect(page.getByText('No threats match')).toBeVisible()
  await expect(page.getByText(/^This vendor names evidence for 0 of [\d,]+ threats$/)).toBeVisible()
})

test('a long fault and its way out stay inside a narrow page', async ({ signedInPage: page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const search = `(hospital OR klinik OR ${'x'.repeat(300)} country:DE`
  await page.goto(`/threats?${new URLSearchParams({ q: search })}`)
  const mend = page.getByRole('button', { name: 'Close it' })
  await expect(mend).toBeVisible()
  for (const part of [field(page), mend, page.getByRole('button', { name: 'Query help' })]) {
    const box = await part.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
  }

  await mend.press('Enter')
  await expect.poll(() => searchOf(page)).toBe(`${search})`)
  await expect(page.getByText(/^Understood as hospital or klinik or \(/)).toBeVisible()
  await expect(page.getByRole('listbox', { name: 'Suggestions' })).toHaveCount(0)
})

test('on a phone the first threat is visible with any filter, and all filters are reachable', async ({
  signedInPage: page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const chips = page.getByRole('list', { name: 'Filters in use' }).getByRole('button')
  for (const [q, others] of [
    ['data country:DE,US severity:>=medium', '&within=30d&triage=open'],
    ['data or leak', '&country=DE'],
  ] as const) {
    await page.goto(`/threats?${new URLSearchParams({ q })}${others}`)
    const first = page
      .getByRole('row')
      .filter({ has: page.getByRole('link') })
      .first()
    await expect(first).toBeVisible()
    await expect(chips.first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Alert me' })).toBeVisible()
    await expect(page.getByText(/^Understood as/)).toBeVisible()
    expect((await first.boundingBox())?.y, q).toBeLessThan(480)
  }

  await page.getByRole('button', { name: 'Clear all' }).scrollIntoViewIfNeeded()
  await expect(page.getByRole('button', { name: 'Clear all' })).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Filters · 1' }).press('Enter')
  await page.getByRole('button', { name: '7 days' }).press('Enter')
  await page.getByRole('button', { name: 'Unread', exact: true }).press('Enter')
  await expect(page).toHaveURL(/within=7d.*triage=unread|triage=unread.*within=7d/)
  await expect(page.getByRole('button', { name: 'Filters · 3' })).toHaveAttribute('aria-expanded', 'true')
})

async function expectInside(page: Page, width: number): Promise<void> {
  const box = await page.getByRole('listbox', { name: 'Suggestions' }).boundingBox()
  expect(box?.x).toBeGreaterThanOrEqual(0)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
}
