import { expect, type Page } from '@playwright/test'
import { actorListSchema } from '#contract/bff/actor.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { test } from '#test/support/browser-test.ts'

const TIMEOUT_MS = 120_000
const HEADERS = { 'x-lantern': '1' }

/** A number on a page, and the address of the list that it leads to. */
type Figure = { says: string; href: string }

// Three zones are walked without a browser; here those on either side of the date line.
for (const [timeZone, search] of [
  ['Pacific/Auckland', ''],
  ['America/Los_Angeles', '?rows=claims'],
] as const) {
  test(`every figure that a reader in ${timeZone} sees is the count of the list behind it`, async ({
    signedInPage: page,
  }) => {
    test.setTimeout(TIMEOUT_MS)
    await readIn(page, timeZone)
    const ask = async (path: string) => (await page.request.get(path, { headers: HEADERS })).json()
    const { actors } = actorListSchema.parse(await ask('/bff/actors'))
    const paths = ['/', `/actors/${encodeURIComponent(actors[0]?.name ?? '')}`, '/countries/US', '/metrics']

    for (const path of paths) {
      await page.goto(`${path}${search}`)
      await expect(page.getByRole('link', { name: /^Ransomware [\d,]+$/ }).first()).toBeVisible()
      // Hundreds more: one page's will do.
      if (path === '/countries/US') await page.getByRole('button', { name: 'Table' }).press('Enter')
      // Some come when the page is idle.
      await expect.poll(async () => (await readFigures(page)).length, { message: path }).toBeGreaterThan(5)
      const figures = await readFigures(page)
      const counted = await Promise.all(
        figures.map(async ({ says, href }) => {
          const rows = href.includes('rows=claims') ? '' : '&rows=cases'
          const list = await ask(`/bff${href}${rows}&timeZone=${encodeURIComponent(timeZone)}`)
          const { total, cases } = threatListSchema.parse(list)
          return { path, href, says, counts: (cases ?? total).toLocaleString('en-GB') }
        }),
      )
      expect(counted.filter(({ says, counts }) => says !== counts)).toEqual([])
    }
  })
}

/** The account is all tests': its own choice stays as it is. */
async function readIn(page: Page, timeZone: string): Promise<void> {
  await page.route('**/bff/profile', (route) => route.abort())
  await page.addInitScript(
    (preferences) => localStorage.setItem('lantern.preferences', preferences),
    JSON.stringify({ timeZone }),
  )
}

function readFigures(page: Page): Promise<Figure[]> {
  return page.getByRole('main').evaluate((main) =>
    [...main.querySelectorAll('a[href^="/threats?"]')].flatMap((link) => {
      const row = link.closest('ol > li')
      const texts = row ? [...row.children].map(({ textContent }) => textContent) : [link.textContent]
      // `1,524 threats, last 30 days`, `Ransomware 694`; the head of a row is a day.
      const isNumber = /^(?:All )?([\d,]+)(?: |$)|^[^\d]+ ([\d,]+)$/
      const [, first, last] = texts.map((text) => isNumber.exec(text ?? '')).find((found) => found) ?? []
      const says = first ?? last
      return says && !link.closest('th') ? [{ says, href: link.getAttribute('href') ?? '' }] : []
    }),
  )
}
