import { defineConfig } from '@playwright/test'
import chromium from '@sparticuz/chromium'

/** Those with an identity provider, a mail server or an authenticator beside them, and every page with hostile text: `npm run test:long`. */
const LONG = '**/long/*.spec.ts'

export default defineConfig({
  testDir: 'test/browser',
  projects: [
    { name: 'journeys', testMatch: '**/*.spec.ts', testIgnore: LONG },
    { name: 'long', testMatch: [LONG, '**/accessibility.spec.ts'] },
  ],
  globalSetup: './test/browser/global-setup.ts',
  outputDir: 'test-results/browser',
  // Each worker starts a Lantern of its own.
  workers: 3,
  fullyParallel: false,
  forbidOnly: true,
  timeout: 90_000,
  // The second try only records a trace: a test that needs it fails the run.
  retries: 1,
  failOnFlakyTests: true,
  // Nothing is measured here: a busy machine may take its time.
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Each failure leaves what stood on the page, and of another try what was asked as well.
    trace: 'on-first-retry',
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
