import { expect, test } from 'vitest'
import type { Caller } from '#bff/upstream/client/caller.ts'
import { createVirtualClock, personOf } from '#test/support/start-governed.ts'
import { ReadCache } from './read-cache.ts'

test('a person with a cached copy has the priority of an automatic update, unless they refresh', async () => {
  const clock = createVirtualClock()
  const cache = new ReadCache<string>({
    clock,
    generation: () => 0,
    maxBytes: 1_000,
    freshForMs: () => 60_000,
  })
  const request = { caller: personOf('s-1'), isRefresh: false, signal: new AbortController().signal }
  const calls: string[] = []
  const load = async ({ priority }: Caller) => {
    calls.push(priority)
    return 'value'
  }

  await cache.read('a', load, request)
  clock.wait(60_000)
  await cache.read('a', load, request)
  clock.wait(60_000)
  await cache.read('a', load, { ...request, isRefresh: true })
  expect(calls).toEqual(['person', 'refresh', 'person'])
})
