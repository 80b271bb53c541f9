import type * as z from 'zod/mini'
import type { Key } from '#contract/bff/key.ts'
import type { Source } from '#contract/bff/source.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { DataVersion } from '#contract/upstream/data-version.ts'
import type { changeAlertSchema } from '#contract/upstream/earlier/change-alert.ts'
import type { createAlertSchema } from '#contract/upstream/earlier/create-alert.ts'
import type { Caller } from './caller.ts'
import type { ConnectionFault } from './connection-fault.ts'
import type { OwnService } from './own-service.ts'

/** The lines of the vendor's route table that Lantern calls. */
export type UpstreamRouteName =
  | 'listThreats'
  | 'readThreat'
  | 'listFeed'
  | 'readFeedThreat'
  | 'listActors'
  | 'readCountry'
  | 'readMetrics'
  | 'listAlerts'
  | 'createAlert'
  | 'readDataVersion'
  | UncountedRouteName

/** Those of our own service that cost no call. */
export type UncountedRouteName = 'readAlertProfiles' | 'changeAlert' | 'deleteAlert'

export type UpstreamParams = {
  id?: string
  /** An alpha-2 code or a full name. */
  country?: string
  query?: Readonly<Record<string, string | number | undefined>>
  /** A 403 refuses these records, not the route set: the same list was read with a bound. */
  isAboutData?: boolean
  /** The body of a change. */
  body?: z.input<typeof createAlertSchema> | z.input<typeof changeAlertSchema>
}

/** Route sets that cannot be called, and why. */
export type ClosedSets = Partial<Record<RouteSet, 'plan' | 'absent' | 'key_refused' | 'key_missing'>>

/** Parts of a key that pages show. */
export type KeyState = Pick<Key, 'status' | 'refusal'>

/** Counts the records that changed between two versions; null if they cannot be compared. */
export type DataChange = { added: number; removed: number } | null

type UpstreamState = Pick<Source, 'isDemo' | 'isOwnService' | 'key' | 'sets' | 'trialExpiresAt'> & {
  /** No connection to the vendor is possible for this reason; null while one works. */
  connectionFault: ConnectionFault | null
}

export type Upstream = {
  /** The only origin that is called, and the only one that may have a private address. */
  origin: string
  /** A number; when it changes, what was read before is not shown any more. */
  generation(): number
  /**
   * Makes one call, unless its outcome is known without: gives the parsed JSON or throws an `UpstreamError`. A failed GET
   * may be repeated once, a POST never: one that may have been done ends as `unclear`.
   */
  call(name: UpstreamRouteName, params: UpstreamParams, caller: Caller): Promise<unknown>
  /** The sets that nothing so far forbids. */
  permittedSets(): RouteSet[]
  /** Returns the other sets, and why they cannot be called. */
  closedSets(): ClosedSets
  /** Returns what answers to any process have reported of the key and of the vendor. */
  state(): Promise<UpstreamState>
  /** Returns true if the vendor is our own service, and has this route beyond the reference. */
  offers(name: UpstreamRouteName): Promise<boolean>
  /**
   * The version of the data that is shown, and how far back the plan reads; null where only our own service could say.
   * And whether its lists give full texts.
   */
  data(set: RouteSet): {
    version: DataVersion | null
    window: OwnService['dataWindow']
    listsContent: boolean
  }
  /** Makes a call that our own service does not count. Fails as `call` does. */
  ask(name: UncountedRouteName, params: UpstreamParams): Promise<unknown>
  /** Requests the latest version from a service that does not count this call. */
  pollDataVersion(): Promise<void>
  /** Shows a later version from now on; false where it is none. */
  applyData(version: DataVersion): { change: DataChange } | false
  /** Notifies the other processes of the version again: earlier notices may be lost. */
  repeatDataNotice(): void
  /** The state of each set's key, as last read. */
  keyStates(): Record<RouteSet, KeyState>
  close(): Promise<void>
}
