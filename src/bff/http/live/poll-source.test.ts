import { expect, onTestFinished, test } from 'vitest'
import type { LiveEvent } from '#contract/bff/live.ts'
import { LiveHub } from './live-hub.ts'
import { pollSource, type SourceFacts } from './poll-source.ts'

const PERMITTED: SourceFacts['sets']['v1'] = {
  status: 'permitted',
  reason: null,
  budgets: { minute: null, day: null },
  blockedUntil: null,
}

test('sends an event when the key is refused, but none for each call', async () => {
  const heard: LiveEvent[] = []
  const hub = new LiveHub()
  hub.subscribe({ accountId: 'u-1', hear: (event) => heard.push(event), end() {} })
  const budget = { limit: 100, remaining: 99, resetsAt: null }
  let facts: SourceFacts = {
    key: 'valid',
    sets: { v1: PERMITTED, earlier: PERMITTED },
    trialExpiresAt: null,
  }
  let looks = 0
  const stop = pollSource(hub, async () => {
    looks += 1
    return facts
  })
  onTestFinished(stop)
  await expect.poll(() => looks).toBeGreaterThan(0)

  facts = { ...facts, sets: { ...facts.sets, v1: { ...PERMITTED, budgets: { minute: null, day: budget } } } }
  const before = looks
  await expect.poll(() => looks).toBeGreaterThan(before)
  expect(heard).toEqual([])

  facts = { ...facts, key: 'invalid' }
  await expect.poll(() => heard).toEqual([{ kind: 'source' }])
})
