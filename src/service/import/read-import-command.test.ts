import { expect, test } from 'vitest'
import { UsageError } from '#server/command-line.ts'
import { readImportCommand } from './read-import-command.ts'

test('takes files and options in any order', () => {
  expect(readImportCommand(['a.ndjson', '--shift-to-now', 'b.ndjson.gz'])).toEqual({
    name: 'import',
    files: ['a.ndjson', 'b.ndjson.gz'],
    shiftsToNow: true,
    keepsDemo: false,
  })
  expect(readImportCommand(['--keep-demo', 'a.ndjson'])).toMatchObject({ keepsDemo: true })
})

test('refuses what it does not know, and a call without files', () => {
  expect(() => readImportCommand(['--shift', 'a.ndjson'])).toThrow(UsageError)
  expect(() => readImportCommand(['--shift'])).toThrow("Unknown option '--shift'")
  expect(() => readImportCommand([])).toThrow('Name at least one file')
  expect(readImportCommand(['--help'])).toEqual({ name: 'help' })
})
