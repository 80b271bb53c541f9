import { expect, test } from 'vitest'
import { createImportReport } from './import-report.ts'

const counts = { added: 1200, known: 3, bad: 1, undated: 2 }

test('says how it went, one line for each thing', () => {
  let written = ''
  const report = createImportReport({
    write: (text) => {
      written += text
    },
  })
  report.onProgress(counts)
  report.onDemoRemoved(5000)
  report.onBadLine({ file: 'a.ndjson', number: 7, problem: 'bad \u001b[31m\nvalue' })
  report.finish(counts)

  expect(written.split('\n')).toEqual([
    'Removed the demo set: 5,000 generated records.',
    'a.ndjson:7: bad  [31m value',
    expect.stringMatching(/^Done: 1,200 added, 3 known already, 1 bad lines, in \d\.\d s \(.+ a second\)\.$/),
    'Without a date: 2. They come last in lists and count in no period.',
    '',
  ])
})

test('renews one line on a terminal', () => {
  let written = ''
  const output = { isTTY: true, write: (text: string) => (written += text) }
  createImportReport(output).onProgress(counts)
  expect(written.startsWith('\r\u001b[K1,200 added')).toBe(true)
  expect(written).not.toContain('\n')
})
