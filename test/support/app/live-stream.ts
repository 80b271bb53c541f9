import { HttpResponse, http } from 'msw'
import { onTestFinished } from 'vitest'
import { fakeBff } from './fake-bff.ts'

type LockOptions = { signal?: AbortSignal; ifAvailable?: boolean }

/** One lock for all tabs, held until its holder goes, as the Web Locks API has it. */
export function giveBrowserLocks() {
  let last: Promise<unknown> = Promise.resolve()
  let wanted = 0
  const locks = {
    request: (
      name: string,
      { signal, ifAvailable }: LockOptions,
      hold: (lock: { name: string } | null) => Promise<unknown>,
    ) => {
      if (ifAvailable && wanted > 0) return hold(null)
      wanted += 1
      const held = last.then(() => (signal?.aborted ? undefined : hold({ name })))
      last = held
        .catch(() => {})
        .finally(() => {
          wanted -= 1
        })
      return held
    },
  }
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true })
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'locks')
  })
}

/** The BFF's stream of live events, each time it is opened. */
export function streamEvents() {
  const streams: ReadableStreamDefaultController<Uint8Array>[] = []
  const addresses: URL[] = []
  fakeBff.use(
    http.get('/bff/live', ({ request }) => {
      addresses.push(new URL(request.url))
      const stream = new ReadableStream<Uint8Array>({ start: (controller) => void streams.push(controller) })
      return new HttpResponse(stream, { headers: { 'content-type': 'text/event-stream' } })
    }),
  )
  const send = (text: string) => streams.at(-1)?.enqueue(new TextEncoder().encode(text))
  return { streams, addresses, send }
}
