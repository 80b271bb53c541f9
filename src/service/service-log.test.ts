import { expect, test } from 'vitest'
import { createServiceLog, onlyFailures } from './service-log.ts'

test('beside a dashboard only failures are worth a line', () => {
  const lines: string[] = []
  const log = onlyFailures(createServiceLog((line) => lines.push(line)))
  for (const status of [200, 401, 429, 499, 500, 503]) log('request', { status })
  log('error', { error: 'disk full' })

  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'request', status: 500 },
    { event: 'request', status: 503 },
    { event: 'error', error: 'disk full' },
  ])
})
