import { expect } from '@playwright/test'
import { signIn } from '#test/support/browser-test.ts'
import { collectFaults, findBreaches, test } from '#test/support/hostile-test.ts'
import { HOSTILE_COUNT, hostileId } from '#test/support/hostile-vendor.ts'

test('no text of a hostile vendor runs, leads away or breaks the feed', async ({ page, lantern }) => {
  const incidents = collectFaults(page, lantern.url)
  await signIn(page)
  await page.goto('/threats')
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') })
  await expect(rows.first()).toBeVisible()
  const seen = new Set<string>()
  await expect(async () => {
    for (const index of await rows.evaluateAll((all) =>
      all.map((row) => row.getAttribute('aria-rowindex') ?? ''),
    ))
      seen.add(index)
    expect(await findBreaches(page)).toEqual([])
    await page.mouse.wheel(0, 500)
    expect(seen.size).toBe(HOSTILE_COUNT)
  }).toPass({ timeout: 30_000, intervals: [30] })
  expect(incidents).toEqual([])
})

test('no text of a hostile vendor runs, leads away or breaks a threat', async ({ page, lantern }) => {
  test.setTimeout(240_000)
  const incidents = collectFaults(page, lantern.url)
  await signIn(page)
  for (let index = 0; index < HOSTILE_COUNT; index += 1) {
    await page.goto(`/threats/${hostileId(index)}`)
    await expect(page.getByRole('heading', { level: 2, name: 'Facts' })).toBeVisible()
    await expect(page.getByRole('heading', { level: 2, name: 'Raw record' })).toBeVisible()
    expect(await findBreaches(page)).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, hostileId(index)).toBeLessThanOrEqual(0)
  }
  expect(incidents).toEqual([])
})
