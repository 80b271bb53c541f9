import type { Database } from '#database/database.ts'
import type { Access } from './access.ts'
import type { HeldData } from './data-version/data-version-queries.ts'
import type { RateState } from './limits/rate-state.ts'
import type { ServiceLog } from './service-log.ts'

/** What Hono's context carries from the guards to a route. */
export type ServiceEnvironment = {
  Variables: {
    requestId: string
    /** Set on every path below `/api/` but the API's own description. */
    access: Access
    /** Null while no key is known. */
    keyId: string | null
    rate: RateState
    trialExpiresAt: string | null
    /** As it was before the request was answered; null while it could not be read. */
    heldData: HeldData | null
    /** How far back the key's plan reads, in days, or `all`; null where no plan has decided. */
    dataWindow: number | 'all' | null
  }
}

export type ServiceDependencies = {
  database: Database
  /** Signs cursors and names of pictures. */
  secret: string
  /** Whose signatures are still read while it is replaced. */
  secretBefore?: string | undefined
  /** Where clients reach the service, without a path. */
  publicUrl: string
  log?: ServiceLog
  /** The database's clock, unless a test sets one. */
  now?: () => Date | null
}
