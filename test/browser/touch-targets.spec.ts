import { expect, type Page } from '@playwright/test'
import { findPages } from '#test/support/app-pages.ts'
import { test } from '#test/support/browser-test.ts'

const TIMEOUT_MS = 180_000
const EXTRA_PATHS = [
  '/threats?q=zzzzunheardof&country=DE',
  '/threats?sort=severity&group=country',
  '/actors/nobody-has-this-name',
]

test.use({ viewport: { width: 390, height: 844 } })

test('everything that is pressed is 44 px wide and high on a phone, on every page', async ({
  signedInPage: page,
  session,
  request,
}) => {
  test.setTimeout(TIMEOUT_MS)
  const cookie = session.map(({ name, value }) => `${name}=${value}`).join('; ')
  const pages = await findPages(async (path) =>
    (await request.get(path, { headers: { 'x-lantern': '1', cookie } })).json(),
  )
  for (const path of [...pages.map((each) => each.path), ...EXTRA_PATHS]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    // Parts at the foot of a long page load when they are near the viewport.
    await expect(async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      await expect(page.getByText('Loading')).toHaveCount(0, { timeout: 1_000 })
    }).toPass({ timeout: 30_000 })
    const more = page.getByRole('button', { name: /^Filters/ })
    if (await more.isVisible()) await more.click()
    expect.soft(await smallTargets(page), path).toEqual([])
  }
})

test('everything that is pressed at sign-in, in menus and in dialogs is as large', async ({
  page,
  signedInPage,
}) => {
  await signedInPage.goto('/threats')
  await page.getByRole('button', { name: /^Filters/ }).click()
  await page.getByLabel('Severity').click()
  await expect(page.getByRole('option').first()).toBeVisible()
  expect.soft(await smallTargets(page), 'the values of a filter').toEqual([])
  await page.keyboard.press('Escape')
  for (const name of ['Open the list of pages', 'Sort and group', 'Display']) {
    await page.getByRole('button', { name }).click()
    await expect(page.locator(':popover-open, dialog[open]')).toBeVisible()
    expect.soft(await smallTargets(page), name).toEqual([])
    await page.keyboard.press('Escape')
  }
  await page.context().clearCookies()
  await page.goto('/sign-in')
  await expect(page.getByLabel('Password')).toBeVisible()
  expect.soft(await smallTargets(page), 'sign-in').toEqual([])
})

/**
 * What is pressed, with the size of the area that a press hits: of what has opened over the page, where something has.
 * Exempt: within a sentence, and shapes of the map.
 */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const LEAST_PX = 44
    const TARGETS = 'a[href], button, input, select, textarea, summary, [role=option], [role=menuitem]'
    const isInSentence = (target: Element) =>
      getComputedStyle(target).display.startsWith('inline') &&
      [...(target.parentElement?.childNodes ?? [])].some(
        (node) => node.nodeType === Node.TEXT_NODE && /\w{2}/.test(node.textContent ?? ''),
      )
    const isHit = (target: Element, x: number, y: number) => {
      const hit = document.elementFromPoint(x, y)
      return target.contains(hit) || hit?.closest('label')?.control === target
    }
    /** How far from the centre a press still hits, to one side. */
    const reach = (target: Element, [x, y]: [number, number], [dx, dy]: [number, number]) => {
      let px = 0
      while (px < LEAST_PX && isHit(target, x + dx * (px + 1), y + dy * (px + 1))) px += 1
      return px
    }
    const isOutOfSight = (target: Element) =>
      (target.closest('th, td')?.getBoundingClientRect().width ?? LEAST_PX) <= 1
    const opened = document.querySelector(':popover-open, dialog[open]') ?? document
    return [...opened.querySelectorAll(TARGETS)]
      .filter((target) => target.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter(
        (target) =>
          !target.matches(':disabled') &&
          !target.closest('svg, .sr-only') &&
          !isInSentence(target) &&
          !isOutOfSight(target),
      )
      .flatMap((target) => {
        target.scrollIntoView({ block: 'center' })
        const { x, y, width, height } = target.getBoundingClientRect()
        const centre: [number, number] = [x + width / 2, y + height / 2]
        // Off the page until it has the focus.
        if (centre[1] < 0) return []
        const wide = 1 + reach(target, centre, [1, 0]) + reach(target, centre, [-1, 0])
        const high = 1 + reach(target, centre, [0, 1]) + reach(target, centre, [0, -1])
        const name = target.getAttribute('aria-label') ?? target.textContent
        return wide < LEAST_PX || high < LEAST_PX ? [`${name}: ${wide} × ${high}`] : []
      })
  })
}
