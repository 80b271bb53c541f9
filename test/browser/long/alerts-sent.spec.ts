import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { expect } from '@playwright/test'
import { SMTPServer } from 'smtp-server'
import { signIn, test } from '#test/support/browser-test.ts'
import { importRecord } from '#test/support/import-record.ts'
import { ADMIN, type RunningLantern, startLantern } from '#test/support/start-lantern.ts'

const SENT_WITHIN_MS = 5_000
const QUIET_MS = 3_000

const mails: string[] = []
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData(stream, _session, done) {
    void text(stream).then((source) => {
      mails.push(source)
      done()
    })
  },
})
let lantern: RunningLantern | null = null

test.afterAll(async () => {
  await lantern?.stop()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

test('an analyst tests a destination, gets one mail after an import, and finds it in the ledger', async ({
  browser,
}) => {
  test.setTimeout(120_000)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('It listens on a port')
  lantern = await startLantern({
    settings: { SMTP_URL: `smtp://127.0.0.1:${address.port}`, MAIL_FROM: 'Lantern <lantern@corp.example>' },
  })
  const { url } = lantern
  const page = await (await browser.newContext({ baseURL: url })).newPage()
  await signIn(page)

  const word = `fenwold${randomUUID().slice(0, 8)}`
  await page.goto(`/alerts/new?name=Fenwold&keyword=${word}`)
  await page.getByLabel('Email', { exact: true }).fill('soc@corp.example')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Test/ }).first().press('Enter')
  await expect(page.getByText('Delivered.')).toBeVisible()
  expect(mails).toHaveLength(1)
  expect(mails[0]).toMatch(/^Subject: .*test/im)
  await page.getByRole('button', { name: 'Create profile' }).press('Enter')
  await page.waitForURL((at) => at.pathname === '/alerts')

  await importRecord(lantern, `Files of ${word} Dairy`)
  await expect.poll(() => mails.length, { timeout: SENT_WITHIN_MS }).toBe(2)
  await page.waitForTimeout(QUIET_MS)
  expect(mails).toHaveLength(2)

  // From the mail, in a browser that nobody has signed in to.
  const source = (mails[1] ?? '').replace(/=\r?\n/g, '').replaceAll('=3D', '=')
  const link = new RegExp(`${url}/threats/[\\w-]+`).exec(source)?.[0] ?? ''
  const stranger = await (await browser.newContext({ baseURL: url })).newPage()
  await stranger.goto(link)
  await stranger.getByLabel('Email').fill(ADMIN.email)
  await stranger.getByLabel('Password').fill(ADMIN.password)
  await stranger.getByRole('button', { name: 'Sign in', exact: true }).press('Enter')
  await expect(stranger.getByRole('heading', { level: 1 })).toContainText(word)
  await stranger.getByRole('link', { name: 'View delivery' }).press('Enter')
  await expect(stranger.getByText('Answer: “', { exact: false })).toBeVisible()
  await expect(stranger.getByRole('row').filter({ hasText: 'Fenwold' })).toContainText('Sent')
})
