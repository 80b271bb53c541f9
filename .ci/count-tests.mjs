// Adds up what Vitest and Playwright reported. Plain JavaScript, for whatever Node the machine has.
import { readFileSync } from 'node:fs'

const unit = read('unit')
const browser = read('browser')
const brokenFiles = unit?.testResults.filter(
  (file) => file.status === 'failed' && file.assertionResults.length === 0,
)

const passed = (unit?.numPassedTests ?? 0) + (browser?.stats.expected ?? 0)
// A browser test that passes only when it is tried again has failed: the second try is there for its trace.
// Tests that an earlier failure kept from running have not passed either.
const failed =
  (unit ? unit.numFailedTests + brokenFiles.length : 1) +
  (browser ? browser.stats.unexpected + browser.stats.flaky : 1)

console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

function read(name) {
  try {
    return JSON.parse(readFileSync(`test-results/${name}.json`, 'utf8'))
  } catch {
    console.log(`The ${name} tests were not run`)
  }
}
