import { expect } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'

test('an analyst builds a profile by keyboard, sees its future, and finds it in the list', async ({
  signedInPage: page,
}) => {
  await page.goto('/alerts')
  await page.getByRole('link', { name: 'New profile' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'New alert profile' })).toBeVisible()

  await page.getByLabel('Name', { exact: true }).focus()
  await page.keyboard.type('Hospitals')
  await page.keyboard.press('Tab')
  await page.keyboard.type('hospital,"data breach",')
  const backtest = page.getByRole('region', { name: 'Backtest' })
  await expect(backtest.getByText(/^\d+ matches in the last 30 days$/, { exact: true }).last()).toBeVisible()
  await expect(backtest.getByRole('table', { name: 'Matches by keyword' })).toContainText('data breach')
  await expect(backtest.locator('mark', { hasText: /hospital/i }).first()).toBeVisible()

  await page.getByLabel('Slack webhook').focus()
  await page.keyboard.type('https://hooks.slack.com/services/T000/B000/never-shown-again')
  const asked = page.waitForEvent('dialog')
  await Promise.all([page.reload(), asked.then((dialog) => dialog.accept())])
  await expect(page.getByRole('button', { name: 'Remove hospital' })).toBeVisible()
  await expect(page.getByLabel('Slack webhook')).toHaveValue('')

  await page.getByLabel('Teams webhook').fill('https://acme.webhook.office.com/webhookb2/a/IncomingWebhook/b')
  await page.getByRole('button', { name: 'Create profile' }).press('Enter')
  await expect(page.getByLabel('Teams webhook')).toBeFocused()
  await expect(page.getByText(/Microsoft has switched off Office 365 connectors/)).toBeVisible()

  await page.getByLabel('Teams webhook').fill('')
  await page.getByLabel('Email', { exact: true }).fill('ada@lantern.example')
  await page.getByRole('button', { name: 'Create profile' }).press('Enter')
  await expect(page.getByText('“Hospitals” was created.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Hospitals', exact: true })).toBeFocused()

  await page.keyboard.press('Enter')
  const profile = page.getByRole('region', { name: 'Profile', exact: true })
  await expect(profile).toBeFocused()
  await expect(profile.getByText(/a…@lantern\.example/)).toBeVisible()
  await expect(profile.locator('mark', { hasText: /hospital/i }).first()).toBeVisible()

  const tested = profile.getByRole('button', { name: 'Test a…@lantern.example' })
  const positions = async () => [
    await tested.boundingBox(),
    await profile.getByText('a…@lantern.example').first().boundingBox(),
  ]
  const before = await positions()
  await tested.click()
  await expect(profile.getByText(/^Failed: Email is not set up/)).toBeVisible()
  expect(await positions()).toEqual(before)
})

test('the menu of a profile stays open and keeps the focus while it is paused and resumed', async ({
  signedInPage: page,
  lantern,
}) => {
  const answer = await page.request.post('/bff/alert-profiles', {
    headers: { 'x-lantern': '1', origin: lantern.url },
    data: {
      name: 'Ports',
      filter: { q: 'port' },
      timeZone: 'UTC',
      isShared: false,
      recipients: [{ channel: 'slack', url: 'https://hooks.slack.com/services/T000/B000/never-sent' }],
    },
  })
  expect(answer.ok()).toBe(true)
  await page.goto('/alerts')
  await page.getByRole('button', { name: 'Actions for Ports' }).press('Enter')
  const menu = page.getByRole('dialog', { name: 'Actions for Ports' })
  await menu.getByRole('button', { name: 'Pause', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'For 1 hour' }).press('Enter')
  const resume = menu.getByRole('button', { name: 'Resume' })
  await expect(resume).toBeFocused()
  // Until the pause is saved it takes no other press.
  await expect(resume).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(menu.getByRole('button', { name: 'Pause', exact: true })).toBeFocused()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('button', { name: 'Actions for Ports' })).toBeInViewport()
})

test('at 400 % the builder scrolls only vertically, and nothing covers the focused control', async ({
  signedInPage: page,
}) => {
  // 1280 by 1024 pixels, of four each way.
  await page.setViewportSize({ width: 320, height: 256 })
  await page.goto('/alerts/new?name=Hospitals&keyword=hospital&keyword=data%20breach&category=Ransomware')
  await expect(page.getByRole('table', { name: 'Matches by keyword' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)

  const main = page.getByRole('main')
  await main.getByRole('textbox', { name: 'Email', exact: true }).scrollIntoViewIfNeeded()
  const covered = await page.evaluate(() => {
    const isPinned = (element: Element) => ['sticky', 'fixed'].includes(getComputedStyle(element).position)
    const pinned = [...document.querySelectorAll('body *')].filter(isPinned)
    const heights = pinned.map((element) => element.getBoundingClientRect())
    return heights
      .filter(({ top, bottom }) => bottom > 0 && top < innerHeight)
      .reduce((sum, { height }) => sum + height, 0)
  })
  expect(covered).toBeLessThan(64)
  const fields = ['Name', 'Keywords', 'Email', 'Slack webhook', 'Teams webhook']
  const controls = [
    ...fields.map((name) => main.getByRole('textbox', { name, exact: true })),
    ...['Remove hospital', 'Create profile', 'Discard', 'Remove keyword 2'].map((name) =>
      main.getByRole('button', { name }),
    ),
    main.getByRole('checkbox', { name: 'Other' }),
  ]
  for (const control of controls) {
    await control.focus()
    // What lies at its middle is the control, or holds it.
    const isOnTop = await control.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const found = document.elementFromPoint(x + width / 2, y + height / 2)
      return found !== null && (element.contains(found) || found.contains(element))
    })
    expect.soft(isOnTop, String(control)).toBe(true)
  }
})
