import { expect, test } from 'vitest'
import { isNewestFirst } from '#contract/bff/arrangement.ts'
import { orderAfterPress } from './list-order.ts'

test('a press sorts by a column, the next one turns it, and the third turns it back', () => {
  const first = orderAfterPress({}, 'severity')
  expect(first).toEqual({ sort: 'severity', order: undefined })
  const second = orderAfterPress(first, 'severity')
  expect(second).toEqual({ sort: 'severity', order: 'asc' })
  expect(orderAfterPress(second, 'severity')).toEqual(first)
})

test('names begin with A, and newest first leaves nothing in the address', () => {
  expect(orderAfterPress({ sort: 'actor' }, 'actor')).toEqual({ sort: 'actor', order: 'desc' })
  expect(orderAfterPress({}, 'published')).toEqual({ sort: undefined, order: 'asc' })
  expect(orderAfterPress({ order: 'asc' }, 'published')).toEqual({ sort: undefined, order: undefined })
})

test('a list is newest first unless it is sorted, turned or grouped', () => {
  expect([{}, { sort: 'published', order: 'desc' } as const].map(isNewestFirst)).toEqual([true, true])
  const others = [{ sort: 'severity' }, { order: 'asc' }, { group: 'day' }] as const
  expect(others.map(isNewestFirst)).toEqual([false, false, false])
})
