import { expect, onTestFinished, test, vi } from 'vitest'
import { LiveHub } from './live-hub.ts'

test('remembers recent events in their order, and no more than a page can receive', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const hub = new LiveHub()
  hub.publish({ kind: 'views' })
  vi.advanceTimersByTime(5_000)
  hub.publish({ kind: 'triage', ids: ['one'] })
  hub.publish({ kind: 'triage', ids: ['two'] })
  vi.advanceTimersByTime(1_000)

  expect(hub.publishedWithin(0)).toEqual([])
  expect(hub.publishedWithin(1_000)).toEqual([
    { kind: 'triage', ids: ['one'] },
    { kind: 'triage', ids: ['two'] },
  ])
  expect(hub.publishedWithin(6_000)).toHaveLength(3)

  for (let count = 0; count < 60; count += 1) hub.publish({ kind: 'window' })
  expect(hub.publishedWithin(6_000)).toHaveLength(50)
})
