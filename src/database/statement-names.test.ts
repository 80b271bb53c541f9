import { expect, test } from 'vitest'
import { createStatementNames } from './statement-names.ts'

test('names a statement from its fifth run on, always alike', () => {
  const { nameOf } = createStatementNames()
  const given = Array.from({ length: 7 }, () => nameOf('select $1'))

  expect(given).toEqual([...Array(4).fill(undefined), 'lantern_1', 'lantern_1', 'lantern_1'])
})

test('never gives two statements one name, and names 250 at most', () => {
  const { nameOf } = createStatementNames()
  const texts = Array.from({ length: 400 }, (_, at) => `select $1 + ${at}`)
  for (let run = 0; run < 5; run++) texts.forEach(nameOf)

  const names = texts.flatMap((text) => nameOf(text) ?? [])
  expect(names).toHaveLength(250)
  expect(new Set(names).size).toBe(250)
})

test('forgets how often rare statements ran, but no name', () => {
  const { nameOf } = createStatementNames()
  for (let run = 0; run < 5; run++) nameOf('select $1')
  for (let at = 0; at < 5_000; at++) nameOf(`select $1 + ${at}`)

  expect(nameOf('select $1')).toBe('lantern_1')
})
