import { expect, type Page } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'

const heads = (page: Page) => page.locator('tbody').getByRole('button', { expanded: true })
const rowLinks = (page: Page) => page.locator('tbody').getByRole('link')
const closedHeads = (page: Page) => page.locator('tbody').getByRole('button', { expanded: false })

for (const width of [1440, 390]) {
  test(`a list is sorted and grouped by keyboard, and a reload has its groups open, at ${width} px`, async ({
    feedPage: page,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    const menu = page.getByRole('button', { name: /^Sort and group/ })
    if (width > 1024) {
      await page.getByRole('columnheader').getByRole('button', { name: 'Severity' }).focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('columnheader', { name: 'Severity' })).toHaveAttribute(
        'aria-sort',
        'descending',
      )
    } else {
      await menu.focus()
      await page.keyboard.press('Enter')
      await page.getByLabel('Sort by').focus()
      await page.keyboard.type('Sev')
      await page.keyboard.press('Escape')
    }
    await expect(page).toHaveURL(/sort=severity$/)
    await menu.focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Group by').focus()
    await page.keyboard.type('Cou')
    await page.keyboard.press('Escape')

    await expect(page).toHaveURL(/sort=severity&group=country$/)
    const first = (await heads(page).first().innerText()).replace(/\s.*/s, '')
    await heads(page).first().focus()
    await page.keyboard.press('Enter')
    await expect(closedHeads(page).first()).toContainText(first)
    await expect(closedHeads(page).first()).toBeFocused()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)

    await page.reload()
    await expect(page).toHaveURL(/sort=severity&group=country$/)
    await expect(heads(page).first()).toContainText(first)

    await menu.focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Group order').selectOption('Largest first')
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(/groupOrder=size/)
    await expect(menu).toHaveAccessibleName(/Country, largest first/)
    for (let closed = 1; closed <= 5; closed++) {
      await heads(page).first().press('Enter')
      await expect(closedHeads(page)).toHaveCount(closed)
    }
    const texts = await closedHeads(page).allInnerTexts()
    const sizes = texts.map((text) => Number(/([\d,]+) cases?/.exec(text)?.[1]?.replace(',', '')))
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
  })
}

test('the visible rows stay in position when a threat above them moves down', async ({
  signedInPage: page,
}) => {
  await page.goto('/threats?rows=claims')
  await rowLinks(page).first().waitFor()
  // All claims of a case change together: these stand alone.
  const ids = await page.evaluate(async () => {
    const alone: string[] = []
    let cursor = ''
    while (alone.length < 60 && cursor !== null) {
      const address = `/bff/threats?rows=cases${cursor && `&cursor=${cursor}`}`
      const answer = await fetch(address, { headers: { 'x-lantern': '1' } })
      const { threats, nextCursor } = await answer.json()
      for (const threat of threats) if (!threat.case) alone.push(threat.id)
      cursor = nextCursor
    }
    return alone.slice(0, 60)
  })
  const act = (action: string, some: readonly string[]) =>
    page.evaluate(
      async (data) => {
        const headers = { 'x-lantern': '1', 'content-type': 'application/json' }
        const response = await fetch('/bff/triage', { method: 'POST', headers, body: JSON.stringify(data) })
        if (!response.ok) throw new Error(await response.text())
      },
      { action, ids: some },
    )
  await act('star', ids)
  const wait = Promise.withResolvers<void>()
  await page.route(/\/bff\/threats\?.*cursor=/, async (route) => {
    await wait.promise
    await route.continue()
  })
  const keepsPosition = page.waitForResponse(/\/assets\/keep-row-position-/)
  await page.goto('/threats?rows=claims&sort=activity&order=asc')
  // What keeps the place comes when the page is idle.
  await keepsPosition
  // As where a browser does not keep its place by itself.
  await page.evaluate(() => {
    document.documentElement.style.overflowAnchor = 'none'
    document.body.style.overflowAnchor = 'none'
  })
  const moved = rowLinks(page).first()
  await moved.focus()
  const href = (await moved.getAttribute('href')) ?? ''
  await act('unstar', ids.slice(0, 1))
  await page.evaluate(() => scrollTo({ top: 30 * 56 }))
  const inSight = () =>
    page.evaluate(() => {
      const link = document
        .elementsFromPoint(300, 500)
        .find((element) => element.closest('tr'))
        ?.closest('tr')
      return [link?.querySelector('a')?.href, link?.getBoundingClientRect().top]
    })
  await expect.poll(inSight).not.toContain(undefined)
  const before = await inSight()
  wait.resolve()

  await expect(page.locator(`tbody a[href="${href}"]`)).toHaveCount(1)
  await expect(page.getByRole('checkbox', { name: 'Select row 60' })).toHaveCount(1)
  expect(await inSight()).toEqual(before)
  await expect(page.locator(`tbody a[href="${href}"]`)).toBeFocused()
  await act('unstar', ids)
})
