import { expect, test } from 'vitest'
import { changeLines } from './audit-words.ts'

function sentences(...change: Parameters<typeof changeLines>): string[] {
  return changeLines(...change).map(({ name, from, to }) => `${name}: ${from ?? ''} → ${to ?? ''}`)
}

test('says what changed by its name and in words, and leaves out what stayed', () => {
  const before = { name: 'Clinics', filter: { country: ['DE'], q: 'a' }, arrangement: null, isShared: false }
  const after = { name: 'Clinics', filter: { country: ['DE', 'AT'] }, arrangement: {}, isShared: true }
  expect(sentences(before, after)).toEqual([
    'Filter, country: DE → DE, AT',
    'Filter, search: a → ',
    'Shared with the team: no → yes',
  ])
})

test('names added values, removed values and counts, without JSON syntax', () => {
  expect(sentences(null, { recipients: ['slack hooks…zz', 'user 1'], sessionsEnded: 2 })).toEqual([
    'Recipients:  → slack hooks…zz, user 1',
    'Sessions ended:  → 2',
  ])
  expect(sentences(null, { v1Plan: 'defend' })).toEqual(['V1 plan:  → defend'])
  expect(sentences({ lastFour: 'ab12', email: [] }, null)).toEqual(['Key ends in: ab12 → ', 'Email: none → '])
  const nested = {
    rows: [{ source: 'a', count: 2 }, null],
    notifications: { email: ['s…@x.example'], slack: null },
  }
  const all = sentences(null, nested)
  expect(all).toEqual([
    'Rows:  → source a, count 2, none',
    'Notifications, email:  → s…@x.example',
    'Notifications, slack:  → none',
  ])
  expect(all.join()).not.toMatch(/[[\]{}"]/)
})
