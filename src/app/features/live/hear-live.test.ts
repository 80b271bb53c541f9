import { expect, onTestFinished, test } from 'vitest'
import { LIVE_MISSED_MAX_MS, type LiveEvent } from '#contract/bff/live.ts'
import { giveBrowserLocks, streamEvents } from '#test/support/app/live-stream.ts'
import { hearLive } from './hear-live.ts'

function openTab() {
  const closing = new AbortController()
  const heard: (LiveEvent | 'gap')[] = []
  hearLive({
    signal: closing.signal,
    onEvent: (event) => heard.push(event),
    onGap: () => heard.push('gap'),
    onSignedOut: () => {},
  })
  onTestFinished(() => closing.abort())
  return { heard, close: () => closing.abort() }
}

test('one connection serves all tabs', async () => {
  giveBrowserLocks()
  const { streams, send } = streamEvents()
  const tabs = [openTab(), openTab(), openTab()]
  await expect.poll(() => streams.length).toBe(1)

  send('retry: 2000\n\n:\n\ndata: {"kind":"win')
  send('dow"}\n\ndata: {"kind":"of tomorrow"}\n\ndata: nonsense\n\n')

  for (const { heard } of tabs) await expect.poll(() => heard).toEqual([{ kind: 'window' }])
  expect(streams).toHaveLength(1)
})

test('the first tab asks for what came since its document began, and who comes back looks at everything', async () => {
  giveBrowserLocks()
  const { streams, addresses, send } = streamEvents()
  const { heard } = openTab()
  await expect.poll(() => streams.length).toBe(1)
  const age = performance.now()
  streams[0]?.close()
  await expect.poll(() => streams.length, { timeout: 5_000 }).toBe(2)

  const missed = addresses.map(({ searchParams }) => Number(searchParams.get('missed')))
  expect(missed[0]).toBeGreaterThan(0)
  expect(missed[0]).toBeLessThanOrEqual(Math.min(Math.ceil(age), LIVE_MISSED_MAX_MS))
  expect(missed[1]).toBe(0)
  send('data: {"kind":"views"}\n\n')
  await expect.poll(() => heard).toEqual(['gap', { kind: 'views' }])
}, 15_000)

test('another tab takes over when the one that listens is closed, and looks at what was missed', async () => {
  giveBrowserLocks()
  const { streams, send } = streamEvents()
  const [first, second] = [openTab(), openTab()]
  await expect.poll(() => streams.length).toBe(1)

  first.close()
  await expect.poll(() => streams.length).toBe(2)
  send('data: {"kind":"views"}\n\n')
  await expect.poll(() => second.heard).toEqual(['gap', { kind: 'views' }])
})

test('comes back after the stream has ended, and every tab looks at what was missed', async () => {
  giveBrowserLocks()
  const { streams, send } = streamEvents()
  const tabs = [openTab(), openTab()]
  await expect.poll(() => streams.length).toBe(1)

  streams[0]?.close()
  await expect.poll(() => streams.length, { timeout: 5_000 }).toBe(2)
  send('data: {"kind":"views"}\n\n')
  for (const { heard } of tabs) await expect.poll(() => heard).toEqual(['gap', { kind: 'views' }])
}, 15_000)
