import { setTimeout as sleep } from 'node:timers/promises'
import { sourceSchema } from '#contract/bff/source.ts'
import { ADMIN, type RunningLantern, startLantern } from '../test/support/start-lantern.ts'

export type MeasuredLantern = RunningLantern & { origin: URL; cookie: string }

/** A fresh Lantern on demo data, as `npm start` runs it, and the cookie of a signed-in reader. */
export async function startMeasuredLantern(): Promise<MeasuredLantern> {
  const lantern = await startLantern()
  const origin = new URL(lantern.url)
  // By address: `localhost` would be looked up for every connection of a load.
  origin.hostname = '127.0.0.1'
  const response = await fetch(new URL('/bff/sign-in', origin), {
    method: 'POST',
    headers: { 'x-lantern': '1', 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  })
  const cookie = response.headers.getSetCookie().at(0)?.split(';').at(0)
  if (!response.ok || !cookie) throw new Error(`Sign-in answered ${response.status}`)
  await untilWindowIsFilled(origin, cookie)
  return { ...lantern, origin, cookie }
}

/** Until then the feed's counts change with every page that the reader brings. */
async function untilWindowIsFilled(origin: URL, cookie: string): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const response = await fetch(new URL('/bff/source', origin), { headers: { 'x-lantern': '1', cookie } })
    const { window } = sourceSchema.parse(await response.json())
    if (window.status === 'complete') return
    await sleep(1_000)
  }
  throw new Error('The window was not filled within a minute')
}
