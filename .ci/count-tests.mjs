// Adds up what Vitest and Playwright reported. Plain JavaScript, for whatever Node the machine has.
import { readFileSync } from 'node:fs'

const unit = read('unit')
const browser = read('browser')
const brokenFiles = unit?.testResults.filter(
  (file) => file.status === 'failed' && file.assertionResults.length === 0,
)

const passed = (unit?.numPassedTests ?? 0) + (browser?.stats.expected ?? 0)
// Tests that an earlier failure kept from running have not passed.
const failed =
  (unit ? unit.numFailedTests + brokenFiles.length : 1) + (browser ? browser.stats.unexpected : 1)
const flakyInBrowser = browser?.stats.flaky ?? 0
const flaky = (unit?.testResults ?? [])
  .flatMap((file) => file.assertionResults)
  .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)

for (const { fullName, failureMessages } of flaky)
  console.log(`Passed only when tried again: ${fullName}\n${failureMessages.join('\n')}`)
console.log(`${passed + flakyInBrowser} passed, ${failed} failed`)
if (flaky.length + flakyInBrowser > 0)
  console.log(`${flaky.length + flakyInBrowser} of them passed only when tried again`)
process.exitCode = failed > 0 ? 1 : 0

function read(name) {
  try {
    return JSON.parse(readFileSync(`test-results/${name}.json`, 'utf8'))
  } catch {
    console.log(`The ${name} tests were not run`)
  }
}
