import { expect, onTestFinished, test } from 'vitest'
import { LIVE_MISSED_MAX_MS, type LiveEvent } from '#contract/bff/live.ts'
import { giveBrowserLocks, streamEvents } from '#test/support/app/live-stream.ts'
import { hearLive } from './hear-live.ts'

const now = () => performance.timeOrigin + performance.now()

/** A tab whose document began so long ago. */
function openTab(ageMs = 1_000) {
  const closing = new AbortController()
  const heard: (LiveEvent | 'gap')[] = []
  hearLive({
    signal: closing.signal,
    since: now() - ageMs,
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

test('the first tab requests changes since its page load; a reconnect reports a gap', async () => {
  giveBrowserLocks()
  const { streams, addresses, send } = streamEvents()
  const { heard } = openTab(700)
  await expect.poll(() => streams.length).toBe(1)
  streams[0]?.close()
  await expect.poll(() => streams.length).toBe(2)

  const missed = addresses.map(({ searchParams }) => Number(searchParams.get('missed')))
  expect(missed[0]).toBeGreaterThanOrEqual(700)
  expect(missed[0]).toBeLessThanOrEqual(LIVE_MISSED_MAX_MS)
  expect(missed[1]).toBe(0)
  send('data: {"kind":"views"}\n\n')
  await expect.poll(() => heard).toEqual(['gap', { kind: 'views' }])
})

test('a reconnect sends the last received change, which a later tab learns, too', async () => {
  giveBrowserLocks()
  const { streams, addresses, send } = streamEvents()
  const first = openTab()
  await expect.poll(() => streams.length).toBe(1)
  expect(addresses[0]?.searchParams.has('after')).toBe(false)
  send('data: {"kind":"position","last":41}\n\ndata: {"kind":"window","last":42}\n\n')
  await expect.poll(() => first.heard).toHaveLength(2)
  const second = openTab(0)
  await expect.poll(() => second.heard).toEqual([{ kind: 'position', last: 42 }])

  first.close()
  await expect.poll(() => streams.length).toBe(2)
  expect(addresses[1]?.searchParams.get('after')).toBe('42')
})

test('another tab connects when the connected one closes, and reports a gap', async () => {
  giveBrowserLocks()
  const { streams, send } = streamEvents()
  const [first, second] = [openTab(), openTab()]
  await expect.poll(() => streams.length).toBe(1)

  first.close()
  await expect.poll(() => streams.length).toBe(2)
  send('data: {"kind":"views"}\n\n')
  await expect.poll(() => second.heard).toEqual(['gap', { kind: 'views' }])
})

test('reconnects after the stream has ended, and every tab reports a gap', async () => {
  giveBrowserLocks()
  const { streams, send } = streamEvents()
  const tabs = [openTab(), openTab()]
  await expect.poll(() => streams.length).toBe(1)

  streams[0]?.close()
  await expect.poll(() => streams.length).toBe(2)
  send('data: {"kind":"views"}\n\n')
  for (const { heard } of tabs) await expect.poll(() => heard).toEqual(['gap', { kind: 'views' }])
})

test('a tab opened later receives once the changes since its page load, and no earlier ones', async () => {
  giveBrowserLocks()
  const { streams, send } = streamEvents()
  const first = openTab(20_000)
  await expect.poll(() => streams.length).toBe(1)
  const announce = async (kind: string) => {
    send(`data: {"kind":"${kind}"}\n\n`)
    await expect.poll(() => first.heard).toContainEqual({ kind })
  }
  await announce('views')
  const beganAt = now() + 1
  await expect.poll(now).toBeGreaterThan(beganAt)
  await announce('window')

  const second = openTab(now() - beganAt)
  const third = openTab(0)
  await announce('source')
  await expect.poll(() => second.heard).toEqual([{ kind: 'window' }, { kind: 'source' }])
  await expect.poll(() => third.heard).toEqual([{ kind: 'source' }])
  expect(first.heard).toEqual([{ kind: 'views' }, { kind: 'window' }, { kind: 'source' }])
})

test.each([
  ['which began before all that is known', 1_000, 20_000],
  ['which loaded for longer than anything is kept', 60_000, 2 * LIVE_MISSED_MAX_MS],
])('a later tab %s reports a gap', async (_, firstMs, secondMs) => {
  giveBrowserLocks()
  const { streams } = streamEvents()
  const first = openTab(firstMs)
  await expect.poll(() => streams.length).toBe(1)

  const second = openTab(secondMs)
  await expect.poll(() => second.heard).toEqual(['gap'])
  expect(first.heard).toEqual([])
})

test('a later tab without an answer reports a gap, and receives later changes', async () => {
  giveBrowserLocks()
  navigator.locks.request('lantern-live', () => new Promise(() => {}))
  const silent = new BroadcastChannel('lantern-live')
  onTestFinished(() => silent.close())

  const { heard } = openTab()
  await expect.poll(() => heard).toEqual(['gap', { kind: 'window' }])
  silent.postMessage({ kind: 'views' })
  await expect.poll(() => heard).toEqual(['gap', { kind: 'window' }, { kind: 'views' }])
})
