import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** Of ASVS 5.0.0. */
const REQUIREMENTS = { 1: 70, 2: 183 }
const ROW =
  /^\| (?<no>\d+\.\d+\.\d+) \| (?<level>[12]) \| [^|]+ \| (?<state>[^|]+) \| (?<where>[^|]+) \| (?<tests>[^|]+) \|$/gm
const IN_GROUP = /(?<no>\d+\.\d+\.\d+) \((?<level>[12])\)/g
const STATES = ['met', 'in part', 'not met']

const text = await readFile('docs/operating/asvs.md', 'utf8')
const [table = '', rest = ''] = text.split('## What does not apply')
const rows = [...table.matchAll(ROW)].map(({ groups }) => groups ?? {})
const grouped = [...rest.matchAll(IN_GROUP)].map(({ groups }) => groups ?? {})

test('the page lists each requirement of levels 1 and 2 once', () => {
  const all = [...rows, ...grouped]
  expect(new Set(all.map(({ no }) => no)).size).toBe(all.length)
  for (const [level, count] of Object.entries(REQUIREMENTS)) {
    expect(all.filter((one) => one.level === level)).toHaveLength(count)
  }
})

test('a met requirement names a file or rule and a test, another one the reason', () => {
  const faults = rows.filter(({ state = '', where, tests = '' }) => {
    const isBare = where === '–' || (state === 'met' && !tests.includes('test'))
    return !STATES.includes(state) || isBare
  })
  expect(faults).toEqual([])
})

test('every file that the table names is there', () => {
  const paths = [
    ...text.matchAll(/`((?:src|test|bench|docs|\.github)\/[\w./-]+|[\w-]+\.(?:md|json|ts))`/g),
  ].map(([, path]) => path)
  expect(paths.length).toBeGreaterThan(200)
  expect(paths.filter((path) => !existsSync(path ?? ''))).toEqual([])
})
