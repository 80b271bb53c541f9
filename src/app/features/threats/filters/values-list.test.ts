import { expect, test } from 'vitest'
import { offerValues, toggleValue } from './values-list.tsx'

const REQUEST = {
  known: ['low', 'high', 'none'],
  counted: [
    { value: 'High', count: 9 },
    { value: 'odd', count: 4 },
  ],
  isAll: true,
  chosen: [],
  first: [],
  text: '',
  named: '',
  labelOf: (value: string) => value.toUpperCase(),
}
const inWords = (request: Partial<typeof REQUEST>) =>
  offerValues({ ...REQUEST, ...request }).map(
    ({ value, count, isChosen }) => `${isChosen ? '✓' : ''}${value} ${count ?? 'unknown'}`,
  )

test('puts the most frequent first, what never occurs last, and each once however it is spelled', () => {
  expect(inWords({})).toEqual(['High 9', 'odd 4', 'low 0', 'none 0'])
})

test('shows no count for values that were not counted', () => {
  expect(offerValues({ ...REQUEST, counted: undefined, isAll: false }).map(({ count }) => count)).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(inWords({ isAll: false })).toEqual(['High 9', 'odd 4', 'low unknown', 'none unknown'])
})

test('keeps what was chosen before on top, ticked or not, and offers it though it never occurs', () => {
  const first: never[] | string[] = ['none', 'gone']
  expect(
    offerValues({ ...REQUEST, first, chosen: ['gone', 'HIGH'] }).map(({ value, isChosen }) => [
      value,
      isChosen,
    ]),
  ).toEqual([
    ['none', false],
    ['gone', true],
    ['High', true],
    ['odd', false],
    ['low', false],
  ])
})

test('narrows by label, whatever the case and accents', () => {
  expect(inWords({ text: 'ò' })).toEqual(['odd 4', 'low 0', 'none 0'])
})

test('finds a value by another of its names', () => {
  expect(inWords({ text: 'elsewhere', named: 'odd' })).toEqual(['odd 4'])
})

test('clicking a chosen value in another letter case removes it', () => {
  expect(toggleValue(['lockbit', 'x'], 'LockBit')).toEqual(['x'])
  expect(toggleValue(['a', 'b'], 'c')).toEqual(['a', 'b', 'c'])
})
