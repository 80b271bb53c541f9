import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium } from '@playwright/test'
import { ADMIN } from '#test/support/start-lantern.ts'
import playwrightConfig from '../playwright.config.ts'
import { verdict } from '../test/support/verdict.ts'
import type { MeasuredLantern } from './measured-lantern.ts'
import { median } from './percentile.ts'

/** 400 kbit/s each way, and 400 ms before the first byte of each answer. */
const LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const ROUNDS = 3
const FORM_TARGET_MS = 2_500
const ROWS_TARGET_MS = 3_000
/** How long a person takes to type: the app is fetched meanwhile. */
const TYPING_MS = [6_000, 0]

/** A first visit on a poor line: when the sign-in form can be used, and after it the feed. Medians. */
export async function measureSlowLine(lantern: MeasuredLantern): Promise<void> {
  const browser = await chromium.launch(playwrightConfig.use?.launchOptions)
  console.log('\nA first visit on a line of 400 kbit/s and 400 ms')
  try {
    for (const typingMs of TYPING_MS) {
      const rounds: Visit[] = []
      for (let round = 0; round < ROUNDS; round += 1) rounds.push(await visit(browser, lantern.url, typingMs))
      const [form, rows] = [
        median(rounds.map(({ formMs }) => formMs)),
        median(rounds.map(({ rowsMs }) => rowsMs)),
      ]
      if (typingMs === TYPING_MS[0]) print('sign-in form', form, FORM_TARGET_MS)
      const target = typingMs > 0 ? ROWS_TARGET_MS : null
      print(`first rows of the feed after ${typingMs / 1000} s of typing`, rows, target)
    }
  } finally {
    await browser.close()
  }
}

type Visit = { formMs: number; rowsMs: number }

async function visit(browser: Browser, url: string, typingMs: number): Promise<Visit> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', LINE)
  const openedAt = performance.now()
  await page.goto(`${url}/threats`, { waitUntil: 'commit' })
  const password = page.getByLabel('Password')
  await password.fill(ADMIN.password)
  const formMs = performance.now() - openedAt
  await page.getByLabel('Email').fill(ADMIN.email)
  await sleep(typingMs)
  const sentAt = performance.now()
  await password.press('Enter', { noWaitAfter: true })
  await page.getByRole('row').nth(1).getByRole('link').first().waitFor({ timeout: 60_000 })
  const rowsMs = performance.now() - sentAt
  await context.close()
  return { formMs, rowsMs }
}

function print(name: string, ms: number, target: number | null): void {
  const seconds = `${(ms / 1000).toFixed(2)} s`
  const judged = target === null ? '' : `; target ${target / 1000} s: ${verdict(ms <= target)}`
  console.log(`  ${name}: ${seconds}${judged}`)
}
