import { buildAppIfNeeded } from '#start/build-app.ts'
import { ADMIN, type LanternOptions, type RunningLantern, startLantern } from '#test/support/start-lantern.ts'
import { untilFilled } from '../test/support/until-filled.ts'

export type MeasuredLantern = RunningLantern & { origin: URL; cookie: string }

/** A fresh Lantern as `npm start` runs it, on demo data unless the settings say otherwise, and a signed-in reader's cookie. */
export async function startMeasuredLantern(
  options?: LanternOptions,
  isFilledFirst = true,
): Promise<MeasuredLantern> {
  // Before the start, whose patience is for the start alone.
  await buildAppIfNeeded()
  const lantern = await startLantern(options)
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
  if (isFilledFirst)
    await untilFilled(() => fetch(new URL('/bff/source', origin), { headers: { 'x-lantern': '1', cookie } }))
  return { ...lantern, origin, cookie }
}
