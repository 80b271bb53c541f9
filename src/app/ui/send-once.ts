import * as z from 'zod/mini'
import { createBrowserStore } from './browser-store.ts'

const triesSchema = z.array(z.object({ digest: z.string(), idempotencyKey: z.uuid() }))
const KEPT_TRIES = 20

/**
 * Sends what must not be done twice. Until it is known to be done, each try of the same in this tab carries one key,
 * after a reload and from a copy of the tab too, so that the server knows it for one.
 */
export async function sendOnce<Body extends object, Result>(
  body: Body,
  send: (body: Body & { idempotencyKey: string }) => Promise<Result>,
): Promise<Result> {
  const store = createBrowserStore({
    key: 'lantern.tries',
    schema: triesSchema,
    fallback: [],
    lifetime: 'session',
  })
  const digest = await digestOf(body)
  const others = () => store.read().filter((kept) => kept.digest !== digest)
  const known = store.read().find((kept) => kept.digest === digest)
  const idempotencyKey = known?.idempotencyKey ?? crypto.randomUUID()
  store.write([...others().slice(1 - KEPT_TRIES), { digest, idempotencyKey }])
  const result = await send({ ...body, idempotencyKey })
  store.write(others())
  return result
}

/** Text from a person must not be stored where it outlives a sign-out. */
async function digestOf(body: object): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(body)))
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
