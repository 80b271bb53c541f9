import { expect, test } from 'vitest'
import { SETTINGS_TABS } from '#app/features/settings/settings-search.ts'
import { describeProblem } from '#bff/alerts/health/describe-problem.ts'
import { KEY_REFUSED, STALE_DATA } from '#bff/notify/operation-notices.ts'
import { DELIVERY_STATES } from '#contract/delivery.ts'

const ANY = { label: 'a…@corp.example', profiles: [] }
const ORIGIN = 'https://lantern.example'

test.each([KEY_REFUSED, STALE_DATA])('$key leads to a tab that Settings has', ({ path }) => {
  const { pathname, searchParams } = new URL(path, ORIGIN)
  expect(pathname).toBe('/settings')
  expect(SETTINGS_TABS).toContain(searchParams.get('tab'))
})

test.each(['unreached', 'failed', 'unclear', 'mailServer', 'workerStopped'] as const)(
  'a problem that is %s leads to states that the ledger has',
  (kind) => {
    const problem = {
      key: kind,
      kind,
      where: null,
      since: null,
      why: null,
      remedy: null,
      affected: [ANY],
    }
    const shown = describeProblem(problem, { isAdmin: true, canSee: () => true })
    const { pathname, searchParams } = new URL(shown?.path ?? '', ORIGIN)
    expect(pathname).toBe('/alerts/deliveries')
    const states = searchParams.getAll('state')
    expect(states).toHaveLength(1)
    for (const state of states) expect(DELIVERY_STATES).toContain(state)
  },
)
