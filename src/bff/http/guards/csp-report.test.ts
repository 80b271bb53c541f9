import { expect, test } from 'vitest'
import { createCspReportLog } from './csp-report.ts'

/** A log without a limit of its own. */
function watch() {
  let nowMs = 0
  let lines = 0
  const log = { info() {}, error() {}, warn: () => lines++ }
  const report = createCspReportLog(log, () => nowMs)
  return {
    flood(sources: number) {
      const reports = Array.from({ length: 3 }, () => ({ body: {} }))
      for (let source = 0; source < sources; source++) report(reports, `192.0.2.${source}`)
    },
    lines: () => lines,
    setMinute: (minute: number) => {
      nowMs = minute * 60_000
    },
  }
}

test('a flood from everywhere is twenty lines a minute', () => {
  const { flood, lines, setMinute } = watch()
  flood(6)
  expect(lines()).toBe(18)
  flood(50)
  expect(lines()).toBe(20)
  setMinute(1)
  flood(50)
  expect(lines()).toBe(40)
})
