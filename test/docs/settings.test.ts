import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { writeSettings } from './write-settings.ts'

test('the page of settings is what `npm run docs` writes', async () => {
  expect(await readFile('docs/operating/settings.md', 'utf8')).toBe(writeSettings())
})

test('each setting with a rule says what it must be', () => {
  expect(writeSettings()).not.toMatch(/\| Invalid/)
})
