import type { Log } from '#bff/http/log.ts'
import type { UpstreamKeys } from '#bff/upstream/client/upstream-client.ts'
import type { Key } from '#contract/bff/key.ts'
import type { Source } from '#contract/bff/source.ts'
import { ROUTE_SETS, type RouteSet } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import type { Channel } from '#database/listen.ts'
import { openSealed, type SealedPlace, seal } from '#server/seal.ts'
import { KEYS_CHANGED_CHANNEL, type KeyScope, readStoredKeys, resealStoredKey } from './key-queries.ts'

/** The last four characters would be a large part of a shorter key. */
const HINT_MIN_LENGTH = 12

export type KeyOrigin = Pick<Key, 'from' | 'isShared' | 'lastFour' | 'setAt' | 'setBy' | 'isUnreadable'>

export type KeyStoreOptions = {
  database: Database
  /** The only origin that its keys are for. */
  origin: string
  kind: Source['kind']
  /** The keys come from the environment, or are the embedded service's. */
  given: UpstreamKeys
  secret: string
  /** Keys sealed with the former secret are sealed with the new one when they are read. */
  secretBefore?: string | undefined
  log: Log
  /** Called when the keys or their plan have changed. */
  onChange(): void
}

type KeyInUse = { token: string | null; origin: KeyOrigin }
const NONE: KeyOrigin = {
  from: null,
  isShared: false,
  lastFour: null,
  setAt: null,
  setBy: null,
  isUnreadable: false,
}

/** Knows which key each route set is called with: what an admin has set, or else what the process was given. */
export class KeyStore {
  readonly #options: KeyStoreOptions
  #inUse: Readonly<Record<RouteSet, KeyInUse>>
  #generation = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: KeyStoreOptions) {
    this.#options = options
    this.#inUse = { v1: this.#given('v1'), earlier: this.#given('earlier') }
  }

  /** Rises when the keys or their plan change: what one key or plan has read is not for another. */
  get generation(): number {
    return this.#generation
  }

  /** Reads the keys that admins have set, one read at a time: the newest wins. */
  reload({ isOtherPlan = false } = {}): Promise<void> {
    const taken = this.#turn.then(async () => {
      const inUse = await this.#load()
      const before = JSON.stringify(this.keys())
      this.#inUse = inUse
      if (!isOtherPlan && JSON.stringify(this.keys()) === before) return
      this.#generation += 1
      this.#options.onChange()
    })
    this.#turn = taken.catch(() => {})
    return taken
  }

  async #load(): Promise<Record<RouteSet, KeyInUse>> {
    const { database, origin, secret, secretBefore, log } = this.#options
    const stored = await readStoredKeys(database, origin)
    const inUse = { v1: this.#given('v1'), earlier: this.#given('earlier') }
    for (const { set, sealed, lastFour, setAt, setBy } of stored) {
      const scope = { origin, set }
      const place = placeOf(scope)
      const own = openSealed(sealed, place, secret)
      const token = own ?? (secretBefore === undefined ? null : openSealed(sealed, place, secretBefore))
      if (token !== null && own === null) {
        await resealStoredKey(database, scope, { from: sealed, to: seal(token, place, secret) })
      }
      if (token === null) {
        log.warn('api-key-not-opened', { set })
        inUse[set] = { ...inUse[set], origin: { ...inUse[set].origin, isUnreadable: true } }
      } else {
        inUse[set] = { token, origin: { ...NONE, from: 'settings', lastFour, setAt, setBy } }
      }
    }
    return inUse
  }

  keys(): UpstreamKeys {
    return {
      apiKey: this.#inUse.v1.token ?? undefined,
      earlierApiKey: this.#inUse.earlier.token ?? undefined,
    }
  }

  describe(): Record<RouteSet, KeyOrigin> {
    const { v1, earlier } = this.#inUse
    const isShared = earlier.token === null && v1.token !== null
    return {
      v1: v1.origin,
      earlier: isShared
        ? { ...v1.origin, isShared: true, isUnreadable: earlier.origin.isUnreadable }
        : earlier.origin,
    }
  }

  /** The sets that a key in this scope is sent to. */
  setsOf(set: RouteSet): RouteSet[] {
    return ROUTE_SETS.filter((other) => other === set || (set === 'v1' && this.#inUse[other].token === null))
  }

  #given(set: RouteSet): KeyInUse {
    const { kind, given } = this.#options
    const token = (set === 'v1' ? given.apiKey : given.earlierApiKey) || null
    const from = kind === 'embedded' ? 'embedded' : 'environment'
    return { token, origin: token === null ? NONE : { ...NONE, from, lastFour: lastFourOf(token) } }
  }
}

/** A sealed key opens for its own origin and route set alone. */
export function placeOf({ origin, set }: KeyScope): SealedPlace {
  return { purpose: 'lantern vendor key', row: ['api_key', origin, set] }
}

export function lastFourOf(token: string): string | null {
  return token.length < HINT_MIN_LENGTH ? null : token.slice(-4)
}

/** Receives the notices that a process has set a key, or has found another plan. */
export function keysChannel(keyStore: KeyStore, onReloaded: () => void, log: Log): Channel {
  const hear = (isOtherPlan: boolean) =>
    keyStore
      .reload({ isOtherPlan })
      .then(onReloaded, (error: unknown) => log.error('keys-not-reloaded', error))
  return {
    name: KEYS_CHANGED_CHANNEL,
    onNotice: (what) => hear(what === 'plan'),
    onHearing: () => hear(false),
  }
}
