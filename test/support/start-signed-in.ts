import { onTestFinished } from 'vitest'
import { createLog } from '#bff/http/log.ts'
import { type BffOptions, startBff } from '#bff/start.ts'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { USUAL_HISTORY, USUAL_NOTIFY } from '#test/support/usual-settings.ts'
import { ADMIN, type TestRequest } from './ask-bff.ts'

type SignedInOptions = Pick<BffOptions, 'upstream'> & Partial<BffOptions>

/** One whole process of the BFF on a port of its own, and its admin's browser. */
export async function startSignedIn(database: OpenDatabase, options: SignedInOptions) {
  const logged: string[] = []
  const port = await findFreePort()
  const bff = await startBff({
    history: USUAL_HISTORY,
    notify: USUAL_NOTIFY,
    database,
    host: '127.0.0.1',
    port,
    publicUrl: `http://localhost:${port}`,
    admin: ADMIN,
    secret: 'secret-of-the-tests-and-long-enough',
    staticFolder: '/nonexistent',
    log: createLog((line) => logged.push(line)),
    ...options,
  })
  let isClosed = false
  async function close(): Promise<void> {
    if (!isClosed) await bff.close()
    isClosed = true
  }
  onTestFinished(close)

  let cookie = ''
  async function ask(path: string, { method, body, headers = {} }: TestRequest = {}): Promise<Response> {
    return fetch(new URL(path, `http://127.0.0.1:${port}`), {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        'x-lantern': '1',
        cookie,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }
  const signedIn = await ask('/bff/sign-in', { body: ADMIN })
  cookie = signedIn.headers.getSetCookie().at(0)?.split(';').at(0) ?? ''
  return { ...bff, ask, close, logged, port, cookie }
}
