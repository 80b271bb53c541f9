import type { BffRoute } from '#bff/http/route.ts'
import { systemClock } from '#bff/time/clock.ts'
import { KeyCustody } from '#bff/vendor/keys/key-custody.ts'
import { KEYS_CHANGED_CHANNEL, tellKeysChanged } from '#bff/vendor/keys/key-queries.ts'
import { keyRoutes } from '#bff/vendor/keys/key-routes.ts'
import type { Channel } from '#database/listen.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createDataRoutes, type DataRoutesOptions } from './compose.ts'
import { createRenewableData } from './renewable-data.ts'

export type KeyDataOptions = Omit<DataRoutesOptions, 'database' | 'clock' | 'onPlanChange'> & {
  database: OpenDatabase
}

/** The data's routes by the keys as they are now, and the routes that change the keys. */
export async function createKeyData({ upstream, ...options }: KeyDataOptions) {
  const { database, secret, log, timeouts } = options
  const { url, kind, ...given } = upstream
  const custody = new KeyCustody({ database, origin: new URL(url).origin, kind, given, secret, log })
  await custody.load()

  const onPlanChange = () => {
    tellKeysChanged(database, 'plan').catch((error: unknown) => log.error('plan-change-not-told', error))
  }
  const data = createRenewableData(
    () => createDataRoutes({ ...options, upstream: { url, kind, ...custody.keys() }, onPlanChange }),
    database,
  )

  let turn: Promise<unknown> = Promise.resolve()
  /** What one key has read is not for another, and what one plan allowed is not for the next. */
  function takeUp(isOtherPlan: boolean): Promise<void> {
    const taken = turn.then(async () => {
      const isOtherKey = await custody.load()
      if (isOtherKey || isOtherPlan) await data.renew()
    })
    turn = taken.catch(() => {})
    return taken
  }

  const routes: BffRoute[] = [
    ...data.routes,
    ...keyRoutes({
      custody,
      secret,
      kind,
      readSourceFacts: data.readSourceFacts,
      readKeyStates: data.readKeyStates,
      takeUp: () => takeUp(false),
      trial: { url, database, clock: systemClock, log, ...(timeouts && { timeouts }) },
    }),
  ]
  const channel = (onTakenUp: () => void): Channel => {
    const hear = (isOtherPlan: boolean) =>
      takeUp(isOtherPlan).then(onTakenUp, (error: unknown) => log.error('keys-not-taken-up', error))
    return {
      name: KEYS_CHANGED_CHANNEL,
      onNotice: (what) => hear(what === 'plan'),
      onHearing: () => hear(false),
    }
  }
  return { ...data, routes, channel }
}
