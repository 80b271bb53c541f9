import type { Database } from '#database/database.ts'
import type { Access } from './access.ts'
import type { HeldData } from './data-version/data-version-queries.ts'
import type { RateState } from './limits/rate-state.ts'
import type { ServiceLog } from './service-log.ts'

/** Hono's context carries these from the guards to a route. */
export type ServiceEnvironment = {
  Variables: {
    requestId: string
    /** Set on every path below `/api/` but the API's own description. */
    access: Access
    /** Null while no key is known. */
    keyId: string | null
    rate: RateState
    trialExpiresAt: string | null
    /** The data before the request was answered; null while it could not be read. */
    heldData: HeldData | null
    /** The key's plan reads back this many days, or `all`; null if no plan was found. */
    dataWindow: number | 'all' | null
  }
}

export type ServiceDependencies = {
  database: Database
  /** Signs cursors and names of pictures. */
  secret: string
  /** Whose signatures are still read while it is replaced. */
  secretBefore?: string | undefined
  /** Clients reach the service here; without a path. */
  publicUrl: string
  log?: ServiceLog
  /** The database's clock, unless a test sets one. */
  now?: () => Date | null
}
