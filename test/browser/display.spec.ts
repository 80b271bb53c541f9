import { expect } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'

const COMPACT_PX = 36

test('a reader arranges the list by keys alone, and the address brings it back', async ({
  feedPage: page,
}) => {
  const heads = page.getByRole('columnheader')
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') })
  await page.getByRole('button', { name: 'Display' }).press('Enter')
  const panel = page.getByRole('dialog', { name: 'Display' })
  await expect(panel).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\?density=compact$/)
  await expect
    .poll(
      async () => ((await rows.nth(1).boundingBox())?.y ?? 0) - ((await rows.nth(0).boundingBox())?.y ?? 0),
    )
    .toBe(COMPACT_PX)

  await page.keyboard.press('Tab')
  await expect(panel.getByRole('checkbox', { name: 'Severity' })).toBeFocused()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(heads).toHaveText(
    [/Select/, 'Threat', 'Actor', 'Severity', 'Victim', 'Country', 'Category', /^Published/],
    { useInnerText: true },
  )
  await page.keyboard.press('Alt+ArrowDown')
  await expect(panel.getByRole('status')).toHaveText('Severity, 3 of 6')
  await page.keyboard.press('Tab')
  await page.keyboard.type('9')
  await expect(page).toHaveURL(/columns=severity\.9&/)
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Space')
  await expect(panel.getByRole('status')).toHaveText('Severity is hidden')
  await expect(panel.getByRole('checkbox', { name: 'Severity' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Display' })).toBeFocused()

  await page.reload()
  await expect(heads).toHaveText(
    [/Select/, 'Threat', 'Actor', 'Victim', 'Country', 'Category', /^Published/],
    {
      useInnerText: true,
    },
  )
  await expect(rows.first()).toBeVisible()
})

test('a column is dragged to its place by its handle, by mouse and by finger', async ({ feedPage: page }) => {
  const panel = page.getByRole('dialog', { name: 'Display' })
  const lines = panel.getByRole('listitem')
  const names = () => lines.evaluateAll((all) => all.map((line) => line.querySelector('label')?.textContent))
  await page.getByRole('button', { name: 'Display' }).click()
  expect((await names()).slice(0, 3)).toEqual(['Severity', 'Actor', 'Victim'])
  const middleOf = async (line: number) => {
    const box = await lines.nth(line).locator('[aria-hidden]').first().boundingBox()
    return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }
  }

  const from = await middleOf(0)
  const to = await middleOf(2)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x + 40, to.y, { steps: 6 })
  await expect.poll(async () => (await names()).slice(0, 3)).toEqual(['Actor', 'Victim', 'Severity'])
  await expect(page).toHaveURL(/\/threats$/)
  await page.mouse.up()
  await expect(page).toHaveURL(/columns=actor&columns=victim&columns=severity&/)
  await expect(panel.getByRole('status')).toHaveText('Severity, 3 of 6')
  expect((await names()).slice(0, 3)).toEqual(['Actor', 'Victim', 'Severity'])

  const touch = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints })
  await send('touchStart', [to])
  for (const share of [0.25, 0.5, 0.75, 1]) {
    await send('touchMove', [{ x: from.x, y: to.y + (from.y - to.y) * share }])
  }
  await send('touchEnd', [])
  await expect(page).toHaveURL(/\/threats$/)
  expect((await names()).slice(0, 3)).toEqual(['Severity', 'Actor', 'Victim'])
})

test('no choice of columns widens the page', async ({ signedInPage: page }) => {
  const all = ['severity', 'actor', 'victim', 'country', 'category', 'industry', 'published']
  for (const columns of [all, all.map((name) => `${name}.99`)]) {
    const query = columns.map((column) => `columns=${column}`).join('&')
    for (const density of ['', '&density=compact']) {
      await page.goto(`/threats?${query}${density}`)
      await expect(page.getByRole('row').getByRole('link').first()).toBeVisible()
      for (const width of [390, 720, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        const wide = () =>
          page.evaluate(
            () =>
              [document.documentElement, ...document.querySelectorAll('tbody tr')].filter(
                ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
              ).length,
          )
        await expect.poll(wide, { message: `${query}${density}, ${width} px` }).toBe(0)
      }
    }
  }
})
