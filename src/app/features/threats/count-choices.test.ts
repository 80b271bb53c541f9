import { expect, test } from 'vitest'
import { countChoices } from './count-choices.ts'

const OPTIONS = [
  { value: 'low', label: 'Low' },
  { value: 'high', label: 'High' },
  { value: 'none', label: 'None' },
]
const describe = (value: string) => value.toUpperCase()

test('puts the most frequent first, and what never occurs last', () => {
  const facet = [
    { value: 'high', count: 9 },
    { value: 'odd', count: 4 },
    { value: 'low', count: 2 },
  ]
  expect(countChoices(OPTIONS, facet, describe)).toEqual([
    { value: 'high', label: 'High', count: 9 },
    { value: 'odd', label: 'ODD', count: 4 },
    { value: 'low', label: 'Low', count: 2 },
    { value: 'none', label: 'None', count: 0 },
  ])
})

test('invents no count where nobody counted', () => {
  expect(countChoices(OPTIONS, undefined, describe)).toEqual(OPTIONS)
})
