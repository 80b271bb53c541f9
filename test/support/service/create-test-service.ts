import type { Database } from '#database/database.ts'
import { createService } from '#service/app.ts'
import { createKey, type NewKey } from '#service/keys/create-key.ts'

export type TestRequest = {
  method?: string
  /** Sent as JSON; text and bytes go as they are. */
  body?: unknown
  headers?: Record<string, string>
  /** Another key than the service was made with; null for none. */
  token?: string | null
}

/** The service without a socket, and a key to call it with. Time stands still at `setNow` once that is called. */
export async function createTestService(database: Database, plans: Partial<NewKey> = {}) {
  const logged: { event: string; facts: Record<string, unknown> }[] = []
  let now: Date | null = null
  const { id: keyId, token } = await createKey(database, { account: 'acme', name: 'test', ...plans })
  const app = createService({
    database,
    secret: 'a secret of the tests',
    publicUrl: 'https://service.example',
    log: (event, facts) => logged.push({ event, facts }),
    now: () => now,
  })

  return {
    app,
    keyId,
    token,
    logged,
    setNow: (instant: string) => {
      now = new Date(instant)
    },
    async ask(path: string, { method, body, headers = {}, token: other = token }: TestRequest = {}) {
      const request = new Headers(headers)
      if (other !== null) request.set('authorization', `Bearer ${other}`)
      if (body === undefined) return app.request(path, { method: method ?? 'GET', headers: request })

      if (!request.has('content-type')) request.set('content-type', 'application/json')
      const content = typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body)
      return app.request(path, { method: method ?? 'POST', headers: request, body: new Blob([content]) })
    },
  }
}

/** The `error` of an answer. */
export async function readError(response: Response): Promise<string> {
  const { error, ...rest } = await response.json()
  if (typeof error !== 'string' || Object.keys(rest).some((name) => name !== 'retry_after')) {
    throw new Error(`Not an error body: ${JSON.stringify({ error, ...rest })}`)
  }
  return error
}
