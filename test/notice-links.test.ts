import { expect, test } from 'vitest'
import { SETTINGS_TABS } from '#app/features/settings/settings-search.ts'
import { DEAD_KEY, FAILED_DELIVERIES, STALE_DATA } from '#bff/notify/operation-notices.ts'
import { DELIVERY_STATES } from '#contract/delivery.ts'

const ORIGIN = 'https://lantern.example'

test.each([DEAD_KEY, STALE_DATA])('$key leads to a tab that Settings has', ({ path }) => {
  const { pathname, searchParams } = new URL(path, ORIGIN)
  expect(pathname).toBe('/settings')
  expect(SETTINGS_TABS).toContain(searchParams.get('tab'))
})

test('failed deliveries lead to states that the ledger has', () => {
  const { pathname, searchParams } = new URL(FAILED_DELIVERIES.path, ORIGIN)
  expect(pathname).toBe('/alerts/deliveries')
  expect(searchParams.getAll('state')).toEqual(['failed', 'unclear'])
  for (const state of searchParams.getAll('state')) expect(DELIVERY_STATES).toContain(state)
})
