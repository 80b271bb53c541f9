import { randomUUID } from 'node:crypto'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { SMTPServer } from 'smtp-server'
import { signIn, test } from '#test/support/browser-test.ts'
import { importRecord } from '#test/support/import-record.ts'
import { addList, entryOf, readVictims, removeLists } from '#test/support/list-requests.ts'
import { startLantern } from '#test/support/start-lantern.ts'

/** A page's address, and what stands there once it is drawn. */
type Look = readonly [path: string, isDrawn: (page: Page) => Promise<unknown>]

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor()
const trend = (page: Page) => page.getByRole('application').first().waitFor()
const BUILDER = '/alerts/new?name=Hospitals&keyword=hospital&keyword=data%20breach&category=Ransomware'
const PAGES: readonly Look[] = [
  ['/', trend],
  ['/actors', (page) => page.getByRole('cell').getByRole('link').first().waitFor()],
  ['/actors?q=zzzzunheardof', (page) => page.getByText('No actor of that name').waitFor()],
  ['/actors/nobody-has-this-name', heading],
  [
    '/countries',
    (page) => page.getByRole('img', { name: /map/i }).or(page.getByRole('table')).first().waitFor(),
  ],
  ['/countries/DE', trend],
  ['/countries/Atlantis', heading],
  ['/alerts', heading],
  ['/alerts/new', heading],
  ['/alerts/new?sends=shift', (page) => page.getByText('Sends', { exact: true }).waitFor()],
  ['/alerts/deliveries', (page) => page.getByRole('navigation', { name: 'By state' }).waitFor()],
  [BUILDER, (page) => page.getByRole('region', { name: 'Backtest' }).locator('mark').first().waitFor()],
  ['/lists', (page) => page.getByText('No list yet').waitFor()],
  ['/lists/new', (page) => page.getByLabel('Names').waitFor()],
  ['/metrics', trend],
  ['/shift', (page) => page.getByRole('region', { name: 'Comments' }).waitFor()],
  ['/welcome', (page) => page.getByLabel('Domains', { exact: true }).waitFor()],
  ['/welcome?show=found', (page) => page.getByText('Enter countries, industries or domains').waitFor()],
  ['/settings', (page) => page.getByLabel('New password').waitFor()],
  ['/settings?tab=api', (page) => page.getByRole('button', { name: 'New key' }).waitFor()],
  ['/settings?tab=users', (page) => page.getByRole('button', { name: 'Add user' }).waitFor()],
  ['/settings?tab=audit', (page) => page.getByRole('table').first().waitFor()],
  ['/settings/calls', (page) => page.getByRole('table').first().waitFor()],
]

/** Colours do not depend on the width, nor what stands where on the theme. */
const LOOKS = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 390 },
] as const

const TOLD_TIMEOUT_MS = 180_000
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

test('axe finds no fault in the sign-in page', async ({ page }) => {
  await page.goto('/sign-in')
  await expect(page.getByLabel('Password')).toBeVisible()
  await expectNoFinding(page)
})

test('axe finds no fault in the page of a mistyped address, which links to the overview', async ({
  signedInPage: page,
}) => {
  const response = await page.goto('/threts')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  await expectNoFinding(page)
  await page.getByRole('link', { name: 'Open the overview' }).click()
  await expect(page).toHaveTitle(/Overview/)
})

test('axe finds no fault in the feed: full, empty and stored in part', async ({ feedPage: page }) => {
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible()
  await expectNoFinding(page)
  await page.goto('/threats?q=zzzzunheardof')
  await expect(page.getByText('No threats match')).toBeVisible()
  await expect(page.getByText('0 threats', { exact: true }).last()).toBeVisible()
  await expectNoFinding(page)
  // Further back than anything is stored.
  await page.goto('/threats?severity=critical&from=2020-01-01')
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible()
  await expectNoFinding(page)
})

test('axe finds no fault in an arranged list and its controls', async ({ signedInPage: page }) => {
  await page.goto('/threats?columns=actor.12&columns=industry&columns=published&density=compact')
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible()
  await expectNoFinding(page)
  await page.getByRole('button', { name: 'Display' }).click()
  await expect(page.getByRole('dialog', { name: 'Display' })).toBeVisible()
  await expectNoFinding(page)
})

test('axe finds no fault in a threat, found and not found', async ({ feedPage: page }) => {
  await page.getByRole('row').getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 2, name: 'Facts' })).toBeVisible()
  await page.getByRole('heading', { name: 'Related threats' }).scrollIntoViewIfNeeded()
  await expect(page.getByRole('heading', { name: /same (actor|country|victim)/i }).first()).toBeVisible()
  await expectNoFinding(page)
  await page.goto('/threats/nothing-has-this-id')
  await expect(page.getByText(/not found/i).first()).toBeVisible()
  await expectNoFinding(page)
})

test('axe finds no fault in failed messages and their profile', async ({ browser }) => {
  test.setTimeout(TOLD_TIMEOUT_MS)
  await using mailServer = await startRefusingMailServer()
  const word = `fenwold${randomUUID().slice(0, 8)}`
  const lantern = await startLantern({
    settings: { SMTP_URL: mailServer.url, MAIL_FROM: 'Lantern <lantern@corp.example>' },
  })
  const page = await (await browser.newContext({ baseURL: lantern.url })).newPage()
  try {
    await signIn(page)
    await page.goto(`/alerts/new?name=Fenwold&keyword=${word}`)
    await page.getByLabel('Email', { exact: true }).fill('soc@corp.example')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Create profile' }).press('Enter')
    await page.waitForURL((at) => at.pathname === '/alerts')
    await importRecord(lantern, `Files of ${word} Dairy`, `${word} Mills`, `${word} ${'x'.repeat(300)}`)
    await page.goto('/alerts/deliveries?state=failed')
    await expect(async () => {
      await page.reload()
      await expect(page.getByRole('link', { name: '3 threats' })).toBeVisible({ timeout: 1_000 })
    }).toPass()

    for (const path of ['/alerts', '/alerts/deliveries']) {
      await page.goto(path)
      await page
        .getByRole('link', { name: path === '/alerts' ? '1 failure in 7 days' : '3 threats' })
        .waitFor()
      await expectNoFindingOfAll(page)
    }
    await page.getByRole('link', { name: '3 threats' }).click()
    await page.getByRole('region', { name: 'Message', exact: true }).getByText('Answer: “').waitFor()
    await expectNoFindingOfAll(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/alerts')
    await page.getByRole('link', { name: 'Fenwold', exact: true }).click()
    await page.getByRole('region', { name: 'Profile', exact: true }).waitFor()
    // As it opens: scrolled down to the profile.
    expect.soft(await findingsOf(page), 'a profile that has just been opened').toEqual([])
    await page.getByRole('button', { name: 'Test s…@corp.example' }).click()
    await expect(page.getByText(/^Failed: 550/)).toBeVisible()
    await expectNoFindingOfAll(page)
  } finally {
    await lantern.stop()
  }
})

test('axe finds no fault in a list of names and its entries', async ({ signedInPage: page }) => {
  const [victim = ''] = await readVictims(page)
  // The domain is another organisation's, so that the matches are to confirm.
  const entries = [entryOf(victim, ['fenwold-dairy.example'])]
  const list = { name: 'Dairies', kind: 'supplier', isShared: true, entries } as const
  try {
    const { id, entryIds } = await addList(page, { ...list, entries })
    for (const path of [`/lists/${id}`, `/lists/${id}/entries/${entryIds[0]}`]) {
      await page.goto(path)
      await page
        .getByRole('button', { name: /^Confirm that this is about/ })
        .first()
        .waitFor()
      await expectNoFindingOfAll(page)
    }
    await page.getByRole('button', { name: 'Edit entry' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectNoFindingOfAll(page)
  } finally {
    await removeLists(page)
  }
})

test('axe finds no fault in an actor and the open palette', async ({ signedInPage: page }) => {
  await page.goto('/actors')
  await page.getByRole('cell').getByRole('link').first().click()
  await trend(page)
  await expectNoFinding(page)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: /^Page, actor, country/ })).toBeFocused()
  await page.keyboard.type('a')
  await expect(page.getByRole('listbox', { name: 'Results' }).getByRole('option').first()).toBeVisible()
  await expectNoFinding(page)
})

for (const [path, isDrawn] of PAGES) {
  test(`axe finds no fault in ${path}`, async ({ signedInPage: page }) => {
    await page.goto(path)
    await isDrawn(page)
    await expectNoFinding(page)
  })
}

const MANY_FILTERS =
  'category=Ransomware&category=DDoS&country=DE&country=FR&country=GB&severity=critical&severity=high&within=30d&q=data&triage=open'
const FILTERED = [
  '/threats?sort=severity&group=country',
  `/threats?${MANY_FILTERS}`,
  `/threats?${new URLSearchParams({ q: '(data OR leak) country:DE,US after:30d -university or' })}`,
  `/threats?${new URLSearchParams({ q: 'data country: severity:>=hgih' })}`,
  '/actors?q=a',
  '/alerts?find=a',
  '/settings?tab=audit&action=sign_in',
] as const

test('axe finds no fault in pages with filters', async ({ signedInPage: page }) => {
  for (const path of FILTERED) {
    await page.goto(path)
    await heading(page)
    await expect(page.getByText('Loading')).toHaveCount(0)
    await expectNoFinding(page)
  }
})

test('axe finds no fault in pages without a connection', async ({ feedPage: page, context }) => {
  const row = (number: number) => page.getByRole('row').nth(number).getByRole('link').first()
  await row(1).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Facts' })).toBeVisible()
  await page.goBack()
  await expect(row(1)).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByText(/You are offline since/)).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('s')
  await expectNoFinding(page)
  await row(5).click()
  await expect(page.getByText(/the request for it failed/).first()).toBeVisible()
  await expectNoFinding(page)
  await page.goBack()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('link', { name: 'Countries', exact: true }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page is not loaded yet')
  await expectNoFinding(page)
})

for (const path of ['/', '/threats', '/actors', '/countries', '/alerts', '/metrics', '/settings'] as const) {
  test(`axe finds no fault in ${path} if its requests fail`, async ({ signedInPage: page }) => {
    await page.route(/\/bff\/(?!session|source|profile|live)/, (route) => route.abort())
    await page.goto(path)
    await heading(page)
    await expectNoFinding(page)
  })
}

/** Refuses each message as it is, so that its delivery fails at once. */
async function startRefusingMailServer() {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: (_address, _session, done) =>
      done(Object.assign(new Error('5.1.1 No such user'), { responseCode: 550 })),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('It listens on a port')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

let looked = 0

/** What a look is taken of in turn: `npm run test:long` takes both of each. */
function looksOf(): readonly (typeof LOOKS)[number][] {
  if (test.info().project.name === 'long') return LOOKS
  const look = LOOKS[looked++ % LOOKS.length]
  return look ? [look] : []
}

/** Of what was hard to reach: in both themes, wide and narrow. */
async function expectNoFindingOfAll(page: Page): Promise<void> {
  await expectNoFinding(page, LOOKS)
}

/** In either theme, wide and narrow: no finding of axe, and nothing wider than the viewport. */
async function expectNoFinding(page: Page, looks = looksOf()): Promise<void> {
  for (const { colorScheme, width } of looks) {
    // Without motion: a colour on its way from one theme to the other has neither's contrast.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    // What the sticky head half covers is no smaller for it.
    await page.evaluate(() => scrollTo({ top: 0 }))
    await untilLaidOut(page)
    const look = `${page.url()}, ${colorScheme}, ${width} px`
    expect.soft(await findingsOf(page), look).toEqual([])
    expect.soft(await overflowOf(page), look).toBeLessThanOrEqual(0)
  }
}

/** Rows of a list are measured anew in the frames after a resize, and overlap until then. */
async function untilLaidOut(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    for (let still = 0, height = 0; still < 5; still += 1) {
      await frame()
      const { scrollHeight } = document.documentElement
      if (scrollHeight !== height) still = 0
      height = scrollHeight
    }
  })
}

async function findingsOf(page: Page): Promise<string[]> {
  // Legacy: in this page alone, in half the time. Lantern has no frames.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(TAGS).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
}

function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
}
