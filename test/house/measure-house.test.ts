import { expect, test } from 'vitest'
import { parseSource } from '../support/architecture/source-file.ts'
import { closureOf, drawRooms, measureHouse } from './measure-house.ts'

const FILES = [
  parseSource(
    'src/bff/pages/threats/a.ts',
    `import { b } from '#bff/store/b.ts'\nimport { z } from 'zod/mini'\n`,
  ),
  parseSource(
    'src/bff/store/b.ts',
    `import type { C } from './c.ts'\nexport function createB(c: Pick<C, 'd'>) {}\n`,
  ),
  parseSource('src/bff/store/c.ts', `import { d } from '#contract/d.ts'\nexport type C = { d: D }\n`),
  parseSource('src/contract/d.ts', ''),
  parseSource('src/bff/store/b.test.ts', `import { b } from './b.ts'\n`),
]

test('a file needs what it imports, types included, within the folders that count', () => {
  expect([...closureOf('src/bff/pages/threats/a.ts', FILES, /^src\/bff\//)]).toEqual([
    'src/bff/pages/threats/a.ts',
    'src/bff/store/b.ts',
    'src/bff/store/c.ts',
  ])
})

test('an import between two rooms counts once, and imports within a room do not', () => {
  const { rooms, arrows } = drawRooms(FILES)
  expect([...rooms]).toEqual(['src/bff', 'src/contract'])
  expect([...arrows]).toEqual(['src/bff -> src/contract'])
})

test('lines of tests are not lines of production', () => {
  const measured = (name: string) =>
    measureHouse(FILES, 'two words\n').find((figure) => figure.name === name)?.value
  expect(measured('production lines')).toBe(7)
  expect(measured('lines of tests')).toBe(1)
  expect(measured('factories (function createX)')).toBe(1)
  expect(measured('types picked from others (Pick<)')).toBe(1)
  expect(measured('README, words')).toBe(2)
})
