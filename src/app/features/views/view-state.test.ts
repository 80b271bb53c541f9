import { expect, test } from 'vitest'
import type { View } from '#contract/bff/view.ts'
import { isChanged, viewToOpen } from './view-state.ts'

const DDOS: View = {
  id: '6a0e2c1e-7f7e-4c0e-9d3a-0d7c5a1f4b11',
  name: 'DDoS',
  filter: { category: ['DDoS', 'Other'] },
  timeZone: 'UTC',
  isShared: false,
  owner: { name: 'Ada Example', isMe: true },
  isDefault: true,
  hasFeed: false,
  updatedAt: '2026-03-10T12:00:00.000Z',
}
const OTHER: View = { ...DDOS, id: '6a0e2c1e-7f7e-4c0e-9d3a-0d7c5a1f4b12', isDefault: false }

test('an address without a filter opens the view it names, or one’s default', () => {
  expect(viewToOpen(OTHER.id, { filter: {} }, [DDOS, OTHER])).toBe(OTHER)
  expect(viewToOpen(undefined, { filter: { category: undefined } }, [DDOS, OTHER])).toBe(DDOS)
  expect(viewToOpen(undefined, { filter: {} }, [OTHER])).toBeNull()
})

test('an address with a filter, or that wants all threats, stays as it is', () => {
  expect(viewToOpen(undefined, { filter: { q: 'acme' } }, [DDOS])).toBeNull()
  expect(viewToOpen(DDOS.id, { filter: { q: 'acme' } }, [DDOS])).toBeNull()
  expect(viewToOpen('all', { filter: {} }, [DDOS])).toBeNull()
})

test('a view of all threats is not opened again once the address names it', () => {
  const all = { ...DDOS, filter: {} }
  expect(viewToOpen(undefined, { filter: {} }, [all])).toBe(all)
  expect(viewToOpen(all.id, { filter: {} }, [all])).toBeNull()
})

test('the same values in another order are no change', () => {
  expect(isChanged(DDOS, { filter: { category: ['Other', 'DDoS'], q: undefined } })).toBe(false)
  expect(isChanged(DDOS, { filter: { category: ['DDoS'] } })).toBe(true)
  expect(isChanged(DDOS, { filter: { category: ['DDoS', 'Other'], triage: 'open' } })).toBe(true)
})

test('columns and their order are a change, and an explicit default is none', () => {
  const { filter } = DDOS
  const arranged: View = { ...DDOS, arrangement: { columns: ['actor', 'victim'], density: 'comfortable' } }
  expect(isChanged(arranged, { filter, arrangement: { columns: ['actor', 'victim'] } })).toBe(false)
  expect(isChanged(arranged, { filter, arrangement: { columns: ['victim', 'actor'] } })).toBe(true)
  expect(isChanged(arranged, { filter })).toBe(true)
  expect(isChanged(DDOS, { filter, arrangement: { sort: 'published', order: 'desc' } })).toBe(false)
  expect(isChanged(DDOS, { filter, arrangement: { density: 'compact' } })).toBe(true)
  expect(isChanged(DDOS, { filter, arrangement: { rows: 'claims' } })).toBe(true)
})

test('a view of columns alone opens once they are there, or others that the address names', () => {
  const columns: View = { ...OTHER, filter: {}, arrangement: { columns: ['actor'] } }
  expect(viewToOpen(columns.id, { filter: {}, arrangement: {} }, [columns])).toBe(columns)
  expect(viewToOpen(columns.id, { filter: {}, arrangement: { columns: ['actor'] } }, [columns])).toBeNull()
  expect(viewToOpen(columns.id, { filter: {}, arrangement: { density: 'compact' } }, [columns])).toBeNull()
})
