import { startBff } from '#bff/start.ts'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { USUAL_HISTORY, USUAL_NOTIFY } from '#test/support/usual-settings.ts'
import { untilFilled } from '../test/support/until-filled.ts'

const ADMIN = { email: 'ada@lantern.example', password: 'correct horse battery' }

export type MeasuredBff = {
  /** Where a browser finds it. */
  url: string
  /** Each time a session of its own: the cookie. */
  signIn(): Promise<string>
  ask(path: string, cookie: string): Promise<Response>
  close(): Promise<void>
}

/** A BFF on a vendor of the measurement, in this process, once its window is filled. */
export async function startMeasuredBff(
  database: OpenDatabase,
  vendorUrl: string,
  staticFolder = '/nonexistent',
): Promise<MeasuredBff> {
  const port = await findFreePort()
  // By address: `localhost` would be looked up for every connection of a load.
  const origin = `http://127.0.0.1:${port}`
  const bff = await startBff({
    history: USUAL_HISTORY,
    notify: USUAL_NOTIFY,
    database,
    host: '127.0.0.1',
    port,
    publicUrl: `http://localhost:${port}`,
    upstream: { url: vendorUrl, apiKey: 'key-of-the-measurement', kind: 'vendor' },
    admin: ADMIN,
    secret: 'secret-of-the-measurement-and-long-enough',
    staticFolder,
    log: { info() {}, warn() {}, error() {} },
  })

  async function signIn(): Promise<string> {
    const headers = { 'x-lantern': '1', 'content-type': 'application/json' }
    const response = await fetch(`${origin}/bff/sign-in`, {
      method: 'POST',
      headers,
      body: JSON.stringify(ADMIN),
    })
    if (!response.ok) throw new Error(`Sign-in answered ${response.status}`)
    return response.headers.getSetCookie().at(0)?.split(';').at(0) ?? ''
  }
  const ask = (path: string, cookie: string) =>
    fetch(`${origin}${path}`, { headers: { 'x-lantern': '1', cookie } })

  const cookie = await signIn()
  await untilFilled(() => ask('/bff/source', cookie))
  return { url: `http://localhost:${port}`, signIn, ask, close: () => bff.close() }
}
