import { chromium } from '@playwright/test'
import playwrightConfig from '../playwright.config.ts'
import { measureFeedThroughput } from './feed-throughput.ts'
import { measureFirstVisitScript } from './first-visit-script.ts'
import { startMeasuredLantern } from './measured-lantern.ts'
import { measureWindowQuestions } from './window-questions.ts'

const lantern = await startMeasuredLantern()
const browser = await chromium.launch(playwrightConfig.use?.launchOptions)
try {
  await measureFeedThroughput(lantern)
  await measureFirstVisitScript(browser, lantern)
} finally {
  await browser.close()
  await lantern.stop()
}
await measureWindowQuestions()
