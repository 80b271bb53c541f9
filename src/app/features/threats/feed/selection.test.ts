import { expect, test } from 'vitest'
import { SELECTED_MAX_COUNT } from '../address/threat-search.ts'
import { toggleLoaded, toggleThrough } from './selection.ts'

const loaded = Array.from({ length: 150 }, (_, index) => `a-${index}`)
const rows = (from: number, to: number) => loaded.slice(from, to + 1)

test('ticks all rows from the last ticked one, in either direction', () => {
  expect(toggleThrough({ selected: ['a-9', 'a-2'] }, 'a-4', loaded)).toEqual({
    selected: ['a-9', 'a-2', 'a-3', 'a-4'],
  })
  expect(toggleThrough({ selected: ['a-4'] }, 'a-2', loaded)).toEqual({ selected: ['a-4', 'a-3', 'a-2'] })
})

test('unticks them where the row was ticked', () => {
  expect(toggleThrough({ selected: rows(1, 6) }, 'a-3', loaded)).toEqual({ selected: ['a-1', 'a-2'] })
})

test('begins at the row itself where no row of the list is ticked', () => {
  expect(toggleThrough({}, 'a-4', loaded)).toEqual({ selected: ['a-4'] })
  expect(toggleThrough({ selected: ['b-1'] }, 'a-4', loaded)).toEqual({ selected: ['b-1', 'a-4'] })
})

test('ticks as many as fit, the nearest first', () => {
  const { selected } = toggleThrough({ selected: ['b-1', 'a-140'] }, 'a-0', loaded)
  expect(selected).toHaveLength(SELECTED_MAX_COUNT)
  expect(selected?.at(-1)).toBe('a-42')
})

test('adds the loaded rows to the selection, and removes only those', () => {
  expect(toggleLoaded({ selected: ['b-1', 'a-1'] }, rows(0, 2))).toEqual({
    selected: ['b-1', 'a-1', 'a-0', 'a-2'],
  })
  expect(toggleLoaded({ selected: ['b-1', 'a-1', 'a-0', 'a-2'] }, rows(0, 2))).toEqual({ selected: ['b-1'] })
  expect(toggleLoaded({ selected: rows(0, 99) }, loaded)).toEqual({ selected: undefined })
})
