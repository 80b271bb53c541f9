import { expect } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'

const WIDTHS_PX = [390, 768, 820, 1024, 1280, 1366, 1440]
const MANY = [
  ...['DE', 'FR', 'GB', 'BA', 'US'].map((country) => `country=${country}`),
  ...['Ransomware', 'Data+Breach', 'Initial+Access'].map((category) => `category=${category}`),
  'actor=an-actor-whose-name-is-as-long-as-the-people-who-chose-it-had-time-for',
  'industry=Professional,+Scientific+and+Technical+Services',
  'severity=critical',
  'q=data+breach+of+a+hospital+with+many+words',
]

test('many filters never widen the page of threats', async ({ signedInPage: page }) => {
  for (const search of [MANY.join('&'), `${MANY.join('&')}&from=2026-01-01&triage=open`]) {
    await page.goto(`/threats?${search}`)
    await expect(
      page.getByRole('list', { name: 'Filters in use' }).getByRole('listitem').nth(11),
    ).toBeAttached()
    for (const width of WIDTHS_PX) {
      await page.setViewportSize({ width, height: 900 })
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      await expect.soft.poll(overflow, { message: `${width} px`, timeout: 2_000 }).toBeLessThanOrEqual(0)
    }
  }
})

test('tables of settings fit on a phone, with the actions of each row', async ({ signedInPage: page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [tab, name] of [
    ['users', 'Users'],
    ['api', 'Keys of the service'],
    ['audit', 'Audit events'],
  ] as const) {
    await page.goto(`/settings?tab=${tab}`)
    const frame = page.getByRole('region', { name, exact: true })
    await expect(frame.getByRole('table')).toBeVisible()
    const overflow = await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect.soft(overflow, tab).toBeLessThanOrEqual(0)
  }
})
