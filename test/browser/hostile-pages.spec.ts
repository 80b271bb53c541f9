import { expect, type Page } from '@playwright/test'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { signIn } from '#test/support/browser-test.ts'
import { collectFaults, findBreaches, test, VENDOR_KEY } from '#test/support/hostile-test.ts'
import { WEBHOOK_SECRET } from '#test/support/hostile-vendor.ts'

const PART_TIMEOUT_MS = 20_000
const HANDLER = NASTY_STRINGS['image handler'] ?? ''
const MARKUP = encodeURIComponent(HANDLER)
const rowLink = (page: Page) => page.getByRole('row').getByRole('link').first().waitFor()
/** Each page with a part that is drawn last, from the vendor's own text. */
const PAGES: readonly (readonly [path: string, isDrawn: (page: Page) => Promise<unknown>])[] = [
  ['/', (page) => page.getByRole('list', { name: /^Top industries/ }).waitFor()],
  ['/actors', (page) => page.getByRole('cell').first().waitFor()],
  [`/actors/${MARKUP}`, (page) => page.getByRole('list', { name: /^Targeted industries/ }).waitFor()],
  ['/countries', (page) => page.getByRole('link', { name: 'Germany' }).first().waitFor()],
  ['/countries/DE', (page) => page.getByText('Claims at the vendor').waitFor()],
  [`/countries/${MARKUP}`, (page) => page.getByRole('heading', { level: 1 }).waitFor()],
  [
    '/alerts',
    (page) =>
      page
        .getByRole('link', { name: /onerror/ })
        .first()
        .waitFor(),
  ],
  [
    '/alerts?profile=profile-3',
    (page) => page.getByRole('region', { name: 'Profile', exact: true }).waitFor(),
  ],
  [
    '/alerts/new?copy=profile-3',
    (page) =>
      page
        .getByRole('button', { name: /^Remove/ })
        .first()
        .waitFor(),
  ],
  [
    `/alerts/new?name=${MARKUP}&keyword=${MARKUP}`,
    (page) => page.getByRole('region', { name: 'Backtest' }).locator('mark').first().waitFor(),
  ],
  ['/metrics', (page) => page.getByRole('list', { name: 'All threats by category' }).waitFor()],
  ['/settings?tab=api', (page) => page.getByText('Lantern reads from the vendor').waitFor()],
  ['/settings?tab=audit', (page) => page.getByRole('heading', { level: 1 }).waitFor()],
  ['/settings/calls', (page) => page.getByRole('heading', { level: 1 }).waitFor()],
  ['/threats?columns=industry&columns=victim&columns=actor', rowLink],
  ['/threats?columns=category&columns=industry.24&columns=victim.24&density=compact', rowLink],
  [`/threats?q=${MARKUP}&actor=${MARKUP}`, (page) => page.getByLabel('Search').waitFor()],
]

for (const width of [1440, 390]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 } })

    test('no text of a hostile vendor runs, leads away or widens any page', async ({ page, lantern }) => {
      test.setTimeout(240_000)
      page.setDefaultTimeout(PART_TIMEOUT_MS)
      const incidents = collectFaults(page, lantern.url)
      await signIn(page)
      for (const [path, isDrawn] of PAGES) {
        await page.goto(path)
        await isDrawn(page)
        for (const button of await page.getByRole('button', { name: 'Table', exact: true }).all())
          await button.click()
        expect(await findBreaches(page), path).toEqual([])
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect.soft(overflow, path).toBeLessThanOrEqual(0)
      }
      expect(incidents).toEqual([])
    })
  })
}

test('the palette shows hostile names as signs', async ({ page, lantern }) => {
  const incidents = collectFaults(page, lantern.url)
  await signIn(page)
  await page.goto('/threats')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: /^Page, actor, country/ })).toBeFocused()
  await page.keyboard.type('onerror')
  await expect(page.getByRole('option', { name: /onerror/ }).first()).toBeVisible()
  expect(await findBreaches(page)).toEqual([])
  expect(incidents).toEqual([])
})

test('no answer, page or store holds a piece of the key or of a webhook', async ({ page, context }) => {
  test.setTimeout(240_000)
  page.setDefaultTimeout(PART_TIMEOUT_MS)
  const texts: string[] = []
  const bodies: Promise<unknown>[] = []
  page.on('console', (message) => texts.push(message.text()))
  page.on('response', (response) => {
    texts.push(JSON.stringify(response.headers()))
    // The stream of events ends with its page.
    if (new URL(response.url()).pathname === '/bff/live') return
    bodies.push(
      response.text().then(
        (text) => texts.push(text),
        () => undefined,
      ),
    )
  })
  await signIn(page)
  for (const [path, isDrawn] of [...PAGES, ['/threats/unheard-of', () => Promise.resolve()] as const]) {
    await page.goto(path)
    await isDrawn(page)
    texts.push(await page.content())
    texts.push(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])))
  }
  texts.push(JSON.stringify(await context.cookies()))
  await Promise.all(bodies)

  expect(texts.filter((text) => text.includes('profile-3')).length).toBeGreaterThan(0)
  for (const secret of [VENDOR_KEY, WEBHOOK_SECRET])
    expect(texts.flatMap((text) => piecesOf(secret).filter((piece) => text.includes(piece)))).toEqual([])
})

/** Every twelve characters of it, and of its usual encodings. */
function piecesOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const forms = [secret, [...secret].reverse().join(''), bytes.toString('base64'), bytes.toString('hex')]
  return forms.flatMap((form) => Array.from({ length: form.length - 11 }, (_, at) => form.slice(at, at + 12)))
}
