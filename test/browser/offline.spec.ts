import { expect, type Page } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'

/** Whoever looks at the page is told within this. */
const SAID_WITHIN_MS = 2_000
const OFFLINE = /^You are offline since/
const SILENT = /^Lantern is not answering since/

const status = (page: Page) => page.getByRole('status').filter({ hasText: /offline|not answering/ })
const link = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name })
/** The title of a row of the feed. */
const title = (page: Page, row: number) =>
  page
    .getByRole('row')
    .nth(row + 1)
    .getByRole('link')
    .first()
const team = (page: Page) => page.getByRole('region', { name: 'Team' })

/** By then the page has loaded what it answers keys with. */
function idle(page: Page): Promise<unknown> {
  return page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('triage-status')),
  )
}

/** Leaves a mark that no reload survives. */
async function mark(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => Object.assign(window, { isMarked: true }))
  return () => page.evaluate(() => Reflect.has(window, 'isMarked'))
}

test('without a network what was loaded is read on, triage is refused, and all comes back by itself', async ({
  feedPage: page,
  context,
}) => {
  const titles = [await title(page, 0).innerText(), await title(page, 1).innerText()]
  await title(page, 0).click()
  await expect(team(page).getByText('read it').first()).toBeVisible()
  await page.getByRole('link', { name: 'Threats', exact: true }).last().click()
  await expect(title(page, 0)).toBeVisible()
  await idle(page)
  const isSamePage = await mark(page)

  await context.setOffline(true)
  await expect(status(page)).toHaveText(OFFLINE)
  await page.keyboard.press('j')
  await page.keyboard.press('s')
  await expect(page.getByRole('alert').filter({ hasText: 'Not done' })).toBeVisible()
  await expect(page.getByRole('row').nth(1).getByText('Starred')).toHaveCount(0)
  for (const key of ['?', 'Control+k', 'Escape']) await page.keyboard.press(key)
  await expect(title(page, 0)).toHaveText(titles[0] ?? '')

  await title(page, 0).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(titles[0] ?? '')
  await expect(team(page).getByText('read it').first()).toBeVisible()
  await page.goBack()
  await expect(title(page, 1)).toHaveText(titles[1] ?? '')

  await link(page, 'Metrics').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page is not loaded yet')
  expect(new URL(page.url()).pathname).toBe('/metrics')
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Metrics')
  await expect(page.getByRole('application').first()).toBeVisible()
  await expect(status(page)).toHaveCount(0)
  expect(await isSamePage()).toBe(true)
})

test('a threat never opened shows that it is unavailable, and loads after reconnection', async ({
  feedPage: page,
  context,
}) => {
  await title(page, 2).click()
  await expect(team(page).getByText('read it').first()).toBeVisible()
  await page.goBack()
  const name = await title(page, 4).innerText()
  await context.setOffline(true)
  await expect(status(page)).toHaveText(OFFLINE)
  await title(page, 4).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await expect(page.getByText(/the request for it failed/).first()).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText(/the request for it failed/)).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('the page reports a server that hangs, and loads when the server continues', async ({
  signedInPage: page,
  lantern,
}) => {
  await page.clock.install()
  await page.goto('/threats')
  await expect(title(page, 0)).toBeVisible()
  const isSamePage = await mark(page)
  // From here on only the test lets time pass for the page, however busy the machine is.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000))
  lantern.child.kill('SIGSTOP')
  try {
    await link(page, 'Actors').click()
    await page.clock.runFor(SAID_WITHIN_MS)
    await expect(status(page)).toHaveText(SILENT)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page is not loaded yet')
  } finally {
    lantern.child.kill('SIGCONT')
  }
  await page.clock.resume()
  await expect(page.getByRole('cell').getByRole('link').first()).toBeVisible()
  await expect(status(page)).toHaveCount(0)
  expect(await isSamePage()).toBe(true)
})

test('a comment that could not be sent stays where it was typed', async ({ feedPage: page, context }) => {
  await title(page, 0).click()
  const comment = page.getByLabel('Comment for the team')
  await expect(team(page).getByText('read it').first()).toBeVisible()
  await comment.fill('Ask the bank about this one')
  await context.setOffline(true)
  await expect(status(page)).toHaveText(OFFLINE)
  await page.getByRole('button', { name: 'Add comment' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Not done' })).toBeVisible()
  await expect(comment).toHaveValue('Ask the bank about this one')
  await context.setOffline(false)
  await expect(status(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Add comment' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Ask the bank about this one' })).toBeVisible()
  await expect(comment).toHaveValue('')
})
