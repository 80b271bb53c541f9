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
  expect(viewToOpen(OTHER.id, {}, [DDOS, OTHER])).toBe(OTHER)
  expect(viewToOpen(undefined, { category: undefined }, [DDOS, OTHER])).toBe(DDOS)
  expect(viewToOpen(undefined, {}, [OTHER])).toBeNull()
})

test('an address with a filter, or that wants all threats, stays as it is', () => {
  expect(viewToOpen(undefined, { q: 'acme' }, [DDOS])).toBeNull()
  expect(viewToOpen(DDOS.id, { q: 'acme' }, [DDOS])).toBeNull()
  expect(viewToOpen('all', {}, [DDOS])).toBeNull()
})

test('a view of all threats is open once it is named', () => {
  const all = { ...DDOS, filter: {} }
  expect(viewToOpen(undefined, {}, [all])).toBe(all)
  expect(viewToOpen(all.id, {}, [all])).toBeNull()
})

test('the same values in another order are no change', () => {
  expect(isChanged(DDOS, { category: ['Other', 'DDoS'], q: undefined })).toBe(false)
  expect(isChanged(DDOS, { category: ['DDoS'] })).toBe(true)
  expect(isChanged(DDOS, { category: ['DDoS', 'Other'], triage: 'open' })).toBe(true)
})
