import { expect, test } from 'vitest'
import { findCodeFaults } from './support/architecture/code-rules.ts'
import { findCodeWords } from './support/architecture/code-words.ts'
import { findFileFaults } from './support/architecture/file-rules.ts'
import { findCycles } from './support/architecture/find-cycles.ts'
import { findGrownRooms, type RoomBudget } from './support/architecture/find-grown-rooms.ts'
import { findForbiddenImports } from './support/architecture/import-rules.ts'
import { findReplacedWords } from './support/architecture/interface-words.ts'
import { parseSource, readSourceFiles, type SourceFile } from './support/architecture/source-file.ts'

function findFaults(files: SourceFile[]): string[] {
  const perFile = files.flatMap((file) => [
    ...findForbiddenImports(file),
    ...findFileFaults(file),
    ...findCodeFaults(file),
    ...findReplacedWords(file),
    ...findCodeWords(file),
  ])
  return [...perFile, ...findCycles(files)]
}

test('the source files follow the rules', () => {
  const files = readSourceFiles()
  expect(files.length).toBeGreaterThan(50)
  expect(findFaults(files)).toEqual([])
})

test.each([
  ['src/service/threats/a.ts', `import { b } from '#bff/http/app.ts'`],
  ['src/bff/pages/threats/a.ts', `import { b } from '#service/app.ts'`],
  ['src/bff/pages/threats/a.ts', `import { b } from '../../../service/app.ts'`],
  ['src/bff/pages/threats/a.ts', `import { b } from '#bff/pages/actors/b.ts'`],
  ['src/bff/pages/threats/a.ts', `import { b } from '../actors/b.ts'`],
  ['src/bff/pages/threats/a.ts', `import { b } from '#bff/compose.ts'`],
  ['src/bff/http/a.ts', `import { b } from '#bff/time/b.ts'`],
  ['src/bff/http/a.ts', `import type { B } from '#bff/accounts/sign-in/b.ts'`],
  ['src/bff/time/a.ts', `import { b } from '#bff/accounts/audit/b.ts'`],
  ['src/bff/accounts/sign-in/a.ts', `import { b } from '#bff/upstream/client/b.ts'`],
  ['src/bff/upstream/client/a.ts', `import { b } from '#bff/store/threat-store.ts'`],
  ['src/bff/store/index/a.ts', `import { b } from '#bff/pages/threats/b.ts'`],
  ['src/app/features/threats/a.ts', `import { b } from '#contract/upstream/feed.ts'`],
  ['src/app/features/threats/a.ts', `import { b } from '#app/features/actors/b.ts'`],
  ['src/app/features/threats/a.ts', `import { b } from '../actors/b.ts'`],
  ['src/app/features/threats/a.ts', `import { b } from '#app/features/actors/actor-options.tsx'`],
  ['src/app/features/threats/a.ts', `import { b } from '#app/features/actors/options/b.ts'`],
  ['src/app/features/source/a.tsx', `import { b } from '#app/features/trends/b.tsx'`],
  ['src/app/features/trends/a.tsx', `import { b } from '#app/features/actors/b.tsx'`],
  ['src/app/ui/a.ts', `import { b } from '#app/features/actors/actor-options.ts'`],
  ['src/app/features/threats/a.tsx', `import { Route } from '#app/routes/threats.tsx'`],
  ['src/app/ui/a.tsx', `import { b } from '#app/api/get-json.ts'`],
  ['src/app/api/a.ts', `import { b } from '#app/ui/button.tsx'`],
  ['src/app/api/a.ts', `import { readFile } from 'node:fs/promises'`],
  ['src/contract/a.ts', `import { b } from '#matcher/b.ts'`],
  ['src/contract/bff/a.ts', `import type { B } from '../upstream/b.ts'`],
  ['src/contract/a.ts', `import { z } from 'zod'`],
  ['src/matcher/a.ts', `const { b } = await import('#database/database.ts')`],
  ['src/database/a.ts', `import { b } from '#settings/settings.ts'`],
  ['src/delivery/a.ts', `import { b } from '#service/app.ts'`],
  ['src/delivery/a.ts', `import { b } from '#bff/http/app.ts'`],
  ['src/bff/pages/threats/a.ts', `import { loadSettings } from '#settings/settings.ts'`],
  ['src/bff/accounts/sign-in/a.ts', `import { request } from 'undici'`],
  ['src/service/threats/a.ts', `import { withDatabase } from '#test/support/with-database.ts'`],
  ['src/service/threats/a.ts', `import { b } from '#delivery/enqueue.ts'`],
  ['src/app/ui/a.ts', `import { aDay } from '#test/fixtures/chart-fixtures.ts'`],
  ['src/app/features/threats/a.ts', `import { aThreat } from '#test/fixtures/threat-fixtures.ts'`],
])('finds a forbidden import in %s: %s', (path, text) => {
  expect(findForbiddenImports(parseSource(path, text))).toEqual([
    expect.stringMatching(/:1 .* may not import/),
  ])
})

test.each([
  ['src/service/threats/a.ts', `import { b } from '#database/database.ts'`],
  ['src/start/a.ts', `import { b } from '#delivery/enqueue.ts'`],
  ['src/bff/upstream/client/a.ts', `import { Pool } from 'undici'`],
  ['src/bff/pages/threats/a.ts', `import { b } from '#bff/time/b.ts'`],
  ['src/bff/compose.ts', `import { b } from '#bff/pages/threats/b.ts'`],
  ['src/app/routes/a.tsx', `import { b } from '#app/features/threats/b.ts'`],
  ['src/app/features/threats/a.ts', `import { b } from '../threats/b.ts'`],
  ['src/app/features/actors/a.tsx', `import { b } from '#app/features/trends/b.tsx'`],
  ['src/app/features/trends/a.tsx', `import { b } from '#app/features/source/b.tsx'`],
  ['src/app/features/threats/a.ts', `import { actorsKey } from '#app/features/actors/actor-options.ts'`],
  ['src/service/threats/a.test.ts', `import { withDatabase } from '#test/support/with-database.ts'`],
  ['src/app/ui/a.test.ts', `import { aDay } from '#test/fixtures/chart-fixtures.ts'`],
  ['src/app/features/threats/a.test.ts', `import { aThreat } from '#test/fixtures/threat-fixtures.ts'`],
  ['src/commands/service.ts', `import { loadSettings } from './settings.ts'`],
])('finds nothing wrong in %s: %s', (path, text) => {
  expect(findFaults([parseSource(path, text)])).toEqual([])
})

test.each([
  ['src/a.ts', 'export default 1', 'exports a default'],
  ['src/a.ts', `export { b } from './b.ts'`, 're-exports'],
  ['src/a.ts', `export * from './b.ts'`, 're-exports'],
  ['src/a.ts', 'const a: any = 1', 'says any'],
  ['src/a.ts', 'const a = b!.c', 'asserts with !'],
  ['src/a.ts', 'const a = b as C', 'asserts with as'],
  ['src/a.ts', 'const a = { ...{ b, c }, d }', 'packs fields by a spread'],
  ['src/a.tsx', 'const a = <A {...{ b, c }} />', 'packs fields by a spread'],
  ['src/bff/a.ts', 'const { PORT } = process.env', 'reads process.env'],
  ['src/bff/pages/threats/a.ts', 'await fetch(url)', 'calls fetch'],
  ['src/app/features/threats/a.ts', 'await fetch(url)', 'calls fetch'],
  ['src/app/ui/a.ts', `if (window.confirm('Delete?')) b()`, 'calls window.confirm: use AskFirst'],
  ['src/app/ui/a.ts', `alert('Deleted')`, 'calls window.alert: use AskFirst'],
  ['src/app/ui/a.tsx', 'const a = <p dangerouslySetInnerHTML={b} />', 'writes dangerouslySetInnerHTML'],
  ['src/app/ui/a.ts', 'a.innerHTML = b', 'writes innerHTML'],
  ['src/a.test.ts', `test.skip('a', () => {})`, 'has a test.skip'],
  ['src/a.test.ts', `describe.only('a', () => {})`, 'has a test.only'],
  ['src/a.ts', '// @ts-ignore\nconst a = 1', 'silences a check'],
  ['src/a.ts', '// biome-ignore lint/a/b\nconst a = 1', 'silences a check without a reason'],
  ['src/a.ts', '// TODO later', 'leaves something to do'],
  ['src/a.ts', '/** Whether it sends. */\nconst a = 1', 'begins a comment without a subject'],
  ['src/a.ts', '/**\n * Of all pages.\n */\nconst a = 1', 'begins a comment without a subject'],
])('finds in %s: %s', (path, text, fault) => {
  expect(findCodeFaults(parseSource(path, text))).toEqual([`${path}:1 ${fault}`])
})

test.each([
  `<p>See it before\n  you save it</p>`,
  `const label = 'Someone waited'`,
  `const done = 'Undone: 1 threat starred'`,
  `const fault = 'This is not an e-mail address.'`,
])('finds replaced words of pages in %s', (text) => {
  expect(findReplacedWords(parseSource('src/app/ui/a.tsx', text))).toEqual([
    expect.stringContaining('shows “'),
  ])
})

test.each([
  ['const toldThreats = 1', 'told'],
  ['const SAID_MAX = 1', 'said'],
  ['type A = { isAsked: boolean }', 'asked'],
  ['class A { #setbacks = 1 }', 'setbacks'],
  ['function takeUpNews() {}', 'take up'],
  ['/** The keeper of the key. */', 'keeper'],
])('finds a word without ordinary use in code: %s', (text, word) => {
  expect(findCodeWords(parseSource('src/delivery/a.ts', text))).toEqual([
    `src/delivery/a.ts:1 has the word ${word}`,
  ])
})

test('lets texts, and members of stored records, have such words', () => {
  const text = `const a = { said: 1, text: 'Told by whoever asked' }`
  expect(findCodeWords(parseSource('src/delivery/a.ts', text))).toEqual([])
})

test('lets a config export its default, and code mention what it may not do', () => {
  expect(findCodeFaults(parseSource('vite.config.ts', 'export default {}'))).toEqual([])
  expect(
    findCodeFaults(parseSource('src/a.ts', `const a = ['any', 'process.env', 'test.only(1)'] as const`)),
  ).toEqual([])
})

test.each([
  ['src/bff/a.ts', 'a\n'.repeat(401), 'more than 400'],
  ['src/bff/threatList.ts', '', 'kebab-case'],
  ['src/bff/Threats.ts', '', 'kebab-case'],
  ['src/bff/utils.ts', '', 'says nothing: utils'],
  ['src/bff/common/a.ts', '', 'says nothing: common'],
  ['src/bff/threats/index.ts', '', 'says nothing: index'],
])('finds the fault of the file %s', (path, text, fault) => {
  expect(findFileFaults(parseSource(path, text))).toEqual([expect.stringContaining(fault)])
})

test('accepts the file names of the router', () => {
  const names = ['__root.tsx', 'index.tsx', 'threats.$threatId.tsx', 'sign-in.test.tsx']
  expect(names.flatMap((name) => findFileFaults(parseSource(`src/app/routes/${name}`, '')))).toEqual([])
})

test('finds a circle of imports, once', () => {
  const files = [
    parseSource('src/bff/a.ts', `import { b } from './b.ts'`),
    parseSource('src/bff/b.ts', `import type { C } from '#bff/c.ts'`),
    parseSource('src/bff/c.ts', `import { a } from './a.ts'\nimport { d } from './d.ts'`),
    parseSource('src/bff/d.ts', ''),
  ]
  expect(findCycles(files)).toEqual(['src/bff/a.ts → src/bff/b.ts → src/bff/c.ts → src/bff/a.ts is a circle'])
})

/** Lines of production code of each room. Whoever raises a figure says in `reason` what the room needs it for. */
const ROOM_BUDGETS: readonly RoomBudget[] = [
  { room: 'src', lines: 38, reason: 'the entry' },
  { room: 'src/app', lines: 171, reason: 'entry, router, search texts of addresses' },
  {
    room: 'src/app/api',
    lines: 573,
    reason: 'a second look where the browser reports no network; a busy page waits in steps',
  },
  {
    room: 'src/app/features',
    lines: 30_047,
    reason: 'one builder and one list of alert profiles; pages compose shared features themselves',
  },
  { room: 'src/app/format', lines: 420, reason: 'dates, counts, names and coverage as text' },
  {
    room: 'src/app/routes',
    lines: 785,
    reason: 'addresses and loaders; features draw their pages themselves',
  },
  {
    room: 'src/app/ui',
    lines: 4_819,
    reason: 'a dialog of keys, for the pages that each had one; durations come from the contract',
  },
  { room: 'src/backup', lines: 866, reason: 'a database of a backup is loaded whole or not at all' },
  {
    room: 'src/bff',
    lines: 851,
    reason: 'composition, start, retention; the store is filled before the first page',
  },
  { room: 'src/bff/accounts', lines: 5_843, reason: 'sign-in as plain pages' },
  {
    room: 'src/bff/http',
    lines: 2_497,
    reason: 'background requests let people come first; limits of public routes',
  },
  {
    room: 'src/bff/alerts',
    lines: 2_598,
    reason: 'alert profiles are evaluated from the change log; schedules, mutes, health and the weekly test',
  },
  {
    room: 'src/bff/notify',
    lines: 1_372,
    reason:
      'late alerts and a mail server that cannot be used are reported; links to what a profile matches; mutes',
  },
  { room: 'src/bff/pages', lines: 6_328, reason: 'profiles are evaluated elsewhere; mutes of a profile' },
  {
    room: 'src/bff/telemetry',
    lines: 500,
    reason: 'problems of alerts and of the installation become notices and metrics',
  },
  {
    room: 'src/bff/time',
    lines: 756,
    reason: 'coverage as data; periods on a calendar; when digests are due and what they are compared with',
  },
  {
    room: 'src/bff/upstream',
    lines: 5_307,
    reason:
      'calls that wait together are admitted in one transaction; each route of a set is known by itself',
  },
  {
    room: 'src/bff/store',
    lines: 13_276,
    reason:
      'every record that was read is stored, and coverage says which totals are exact: change log, months of the past, full texts, counts by day, profiles named in searches',
  },
  { room: 'src/commands', lines: 223, reason: 'one file for each command' },
  {
    room: 'src/contract',
    lines: 5_348,
    reason: 'coverage, periods, loads, full texts; one schema for ids, one for moments',
  },
  {
    room: 'src/database',
    lines: 2_040,
    reason: 'the embedded PostgreSQL that is stopped alone ends Lantern',
  },
  {
    room: 'src/delivery',
    lines: 4_207,
    reason: 'messages name what has changed of a threat; digests, unsubscribe links, masks that differ',
  },
  { room: 'src/matcher', lines: 3_549, reason: 'names of organisations are compared with threats' },
  { room: 'src/server', lines: 483, reason: 'outbound requests, sealing, shutdown, commands, rows' },
  {
    room: 'src/service',
    lines: 4_170,
    reason: 'undated imports; severities that a rule derived; profiles with their states',
  },
  { room: 'src/settings', lines: 569, reason: 'how much is kept' },
  {
    room: 'src/start',
    lines: 1_655,
    reason: 'servers and commands, with the command lines of backup and restore',
  },
]

test('no room exceeds its budget of lines', () => {
  expect(findGrownRooms(readSourceFiles(), ROOM_BUDGETS)).toEqual([])
})

const A_ROOM = { lines: 3, room: 'src/bff/pages', reason: 'lists threats' }

test.each<[string, string, RoomBudget[], string]>([
  ['grew', 'a\nb\nc\nd\n', [A_ROOM], 'has 4 lines, its budget is 3'],
  ['is new', 'a\n', [], 'has 1 lines and no budget'],
  ['shrank', 'a\n', [{ ...A_ROOM, lines: 42 }], 'has only 1 lines'],
])('finds a room that %s', (_, text, budgets, fault) => {
  const files = [
    parseSource('src/bff/pages/threats/a.ts', text),
    parseSource('src/bff/pages/a.test.ts', 'a\nb'),
  ]

  expect(findGrownRooms(files, budgets)).toEqual([expect.stringContaining(`src/bff/pages ${fault}`)])
})

test('lets a room have the lines of its budget', () => {
  expect(findGrownRooms([parseSource('src/bff/pages/a.ts', 'a\nb\nc\n')], [A_ROOM])).toEqual([])
})
