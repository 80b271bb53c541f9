import { expect } from '@playwright/test'
import { MINUTE_MS } from '#contract/duration.ts'
import { AWKWARD_IDS } from '#test/support/awkward-ids.ts'
import { test as browserTest, signIn, untilStoreIsFilled } from '#test/support/browser-test.ts'
import { collectFaults } from '#test/support/hostile-test.ts'
import { openStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { type RunningLantern, startLantern } from '#test/support/start-lantern.ts'
import { v1Detail, v1List, v1Record } from '#test/support/upstream-records.ts'

const ENTRIES = Object.entries(AWKWARD_IDS)
const LIST = '/api/v1/threats'

const test = browserTest.extend<object, { lantern: RunningLantern }>({
  lantern: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern what a fixture needs
    async ({}, use) => {
      const vendor = await openStandInUpstream()
      const records = ENTRIES.map(([title, id], at) =>
        v1Record({ id, title, published_at: new Date(Date.now() - at * MINUTE_MS).toISOString() }),
      )
      vendor.play(LIST, { json: v1List(records) })
      for (const [title, id] of ENTRIES.filter(([, id]) => id.isWellFormed())) {
        vendor.play(`${LIST}/${encodeURIComponent(id)}`, { json: { data: v1Detail({ id, title }) } })
      }
      const lantern = await startLantern({
        settings: { UPSTREAM_URL: vendor.url, UPSTREAM_API_KEY: 'key-of-the-tests' },
      })
      await use(lantern)
      await lantern.stop()
      await vendor.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

test('a threat with any id is opened, reloaded, triaged, and left for the list', async ({
  page,
  lantern,
}) => {
  test.setTimeout(240_000)
  const incidents = collectFaults(page, lantern.url)
  await signIn(page)
  await untilStoreIsFilled(page.context())
  await page.goto('/threats')
  for (const [title] of ENTRIES) {
    await page.getByRole('link', { name: title, exact: true }).click()
    const heading = page.getByRole('heading', { level: 1, name: title, exact: true })
    await expect.soft(heading, title).toBeFocused()
    await expect.soft(page.getByRole('region', { name: 'Facts' }), title).toBeVisible()

    const address = page.url()
    await page.reload()
    await expect.soft(heading, `${title}, reloaded`).toBeVisible()
    expect.soft(page.url(), title).toBe(address)
    const star = page.getByRole('button', { name: /^(?:Star|Unstar)/ })
    await star.click()
    await expect.soft(page.getByText('Starred', { exact: true }), `${title}, starred`).toBeVisible()

    await page.goBack()
    await expect.soft(page.getByRole('heading', { level: 1, name: 'Threats' }), title).toBeVisible()
  }
  await page.goto('/threats?triage=starred')
  for (const [title] of ENTRIES)
    await expect.soft(page.getByRole('link', { name: title, exact: true }), title).toBeVisible()
  expect(incidents).toEqual([])
})

test('a link from elsewhere opens what it names, however it is encoded', async ({ page, lantern }) => {
  await signIn(page)
  await untilStoreIsFilled(page.context())
  const response = await page.request.get('/bff/threats', { headers: { 'x-lantern': '1' } })
  const { threats }: { threats: { id: string; title: string }[] } = await response.json()
  for (const { id, title } of threats) {
    const segment = /^~*\.{1,2}$/.test(id) ? `~${id}` : id
    const opened = await page.goto(`${lantern.url}/threats/${encodeURIComponent(segment)}`)
    expect.soft(opened?.status(), title).toBe(200)
    await expect.soft(page.getByRole('heading', { level: 1, name: title, exact: true }), title).toBeVisible()
  }
  for (const path of ['/threats/%00', '/threats/%ED%A0%80', '/threats/%E0%A4%A', '/threats/%zz']) {
    await page.goto(lantern.url + path)
    await expect.soft(page.getByRole('heading', { level: 1 }), path).toBeVisible()
    await expect.soft(page.getByRole('heading', { level: 1 }), path).toHaveText(/not found|no such/i)
  }
})
