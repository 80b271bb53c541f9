import type { Log } from '#bff/http/log.ts'
import type { ReadThreat } from '#bff/store/details/read-threats.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import type { SeenCategories } from '#bff/upstream/seen-categories.ts'
import type { Database } from '#database/database.ts'
import type { ProfileList } from './profile-list.ts'

/** Dependencies of the routes for profiles of the vendor's account. */
export type AlertContext = {
  upstream: Upstream
  store: ThreatStore
  readThreat: ReadThreat
  categories: () => SeenCategories
  database: Database
  clock: Clock
  log: Log
  /** Names the vendor's address and the keys as they are now: another account's profiles are never shown. */
  source: () => string
  /** Keys the hashes of drafts, and seals destinations in the ledger. */
  secret: string
  /** The one that it replaces: a draft that was sent under it is known. */
  secretBefore?: string | undefined
  /** The value of NOTIFY_HOSTS: webhooks of every kind may lead to these. */
  webhookHosts: readonly string[]
  /** A mail server is set up. */
  hasEmail: boolean
  /** Browsers find Lantern here. */
  origin: string
  /** Reads the profiles of our own service anew: who was taken off receives nothing from now on. */
  onChanged: () => Promise<void>
  patience?: CreationPatience
  profiles: ProfileList
}

/** A browser waits for longer than both together. */
export type CreationPatience = { answerMs: number; readBackMs: number }
