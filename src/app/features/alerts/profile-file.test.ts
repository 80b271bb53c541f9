import { expect, test } from 'vitest'
import { aProfile } from '#test/fixtures/alert-fixtures.ts'
import { readProfileFile, writeProfileFile } from './profile-file.ts'

test('what was written is read back, without its addresses', () => {
  const text = writeProfileFile([aProfile('p-1'), aProfile('p-2', { categories: [] })], new Date(0))

  expect(text).not.toContain('slack')
  expect(text).not.toContain('lantern.example')
  expect(readProfileFile(text)).toEqual({
    problems: [],
    drafts: [
      { name: 'Profile p-1', keywords: ['northwind', '"pale harbour"'], categories: ['Ransomware'] },
      { name: 'Profile p-2', keywords: ['northwind', '"pale harbour"'], categories: [] },
    ],
  })
})

const fileOf = (members: object) =>
  JSON.stringify({ format: 'lantern-alert-profiles', version: 1, profiles: [], ...members })

test.each([
  ['no JSON', 'name: x', 'This is no file of alert profiles.'],
  ['another format', fileOf({ format: 'sigma' }), 'This is no file of alert profiles.'],
  ['a later version', fileOf({ version: 2 }), 'The file is of version 2; this Lantern reads version 1.'],
])('refuses %s', (_what, text, problem) => {
  expect(readProfileFile(text)).toEqual({ drafts: [], problems: [problem] })
})

test('one bad profile costs that profile', () => {
  const good = { name: ' Clinics ', keywords: ['northwind'], categories: [] }
  const profiles = [{ name: '', keywords: [] }, good, 7, { name: 'x', keywords: ['a'.repeat(201)] }]
  expect(readProfileFile(fileOf({ profiles }))).toEqual({
    drafts: [{ ...good, name: 'Clinics' }],
    problems: [
      'Profile 1 was left out: its name and keywords cannot be read.',
      'Profile 3 was left out: its entry cannot be read.',
      'Profile 4 was left out: its keywords cannot be read.',
    ],
  })
})
