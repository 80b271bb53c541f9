import { defineConfig } from '@playwright/test'
import chromium from '@sparticuz/chromium'

export default defineConfig({
  testDir: 'test/browser',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/browser',
  // Each worker starts a Lantern of its own.
  workers: 3,
  fullyParallel: false,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // What was asked, and what stood there. A film beside it took a quarter of the time of all tests.
    trace: { mode: 'retain-on-failure', screenshots: false },
    launchOptions: {
      // Unpacks the browser the first time, before any worker starts.
      executablePath: await chromium.executablePath(),
      // Not the package's own: its --single-process ends the browser with its first context.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
