import { HttpResponse, http } from 'msw'
import { expect, onTestFinished, test } from 'vitest'
import type { LiveEvent } from '#contract/bff/live.ts'
import { fakeBff } from '../../../../test/support/app/fake-bff.ts'
import { hearLive } from './hear-live.ts'

/** One lock for all tabs, held until its holder goes, as the Web Locks API has it. */
function giveBrowserLocks() {
  let last: Promise<unknown> = Promise.resolve()
  const locks = {
    request: (_name: string, { signal }: { signal: AbortSignal }, hold: () => Promise<unknown>) => {
      const held = last.then(() => (signal.aborted ? undefined : hold()))
      last = held.catch(() => {})
      return held
    },
  }
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true })
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'locks')
  })
}

function openTab() {
  const closing = new AbortController()
  const heard: (LiveEvent | 'gap')[] = []
  hearLive({
    signal: closing.signal,
    onEvent: (event) => heard.push(event),
    onGap: () => heard.push('gap'),
  })
  onTestFinished(() => closing.abort())
  return { heard, close: () => closing.abort() }
}

function streamEvents() {
  const streams: ReadableStreamDefaultController<Uint8Array>[] = []
  fakeBff.use(
    http.get('/bff/live', () => {
      const stream = new ReadableStream<Uint8Array>({ start: (controller) => void streams.push(controller) })
      return new HttpResponse(stream, { headers: { 'content-type': 'text/event-stream' } })
    }),
  )
  const send = (text: string) => streams.at(-1)?.enqueue(new TextEncoder().encode(text))
  return { streams, send }
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

test('another tab takes over when the one that listens is closed', async () => {
  giveBrowserLocks()
  const { streams, send } = streamEvents()
  const [first, second] = [openTab(), openTab()]
  await expect.poll(() => streams.length).toBe(1)

  first.close()
  await expect.poll(() => streams.length).toBe(2)
  send('data: {"kind":"views"}\n\n')
  await expect.poll(() => second.heard).toEqual([{ kind: 'views' }])
})

test('comes back after the stream has ended, and says that something may have been missed', async () => {
  giveBrowserLocks()
  const { streams } = streamEvents()
  const { heard } = openTab()
  await expect.poll(() => streams.length).toBe(1)

  streams[0]?.close()
  await expect.poll(() => streams.length, { timeout: 5_000 }).toBe(2)
  streams[1]?.close()
  await expect.poll(() => heard, { timeout: 5_000 }).toContain('gap')
}, 15_000)
