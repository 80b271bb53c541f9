import type { Database } from '#database/database.ts'
import type { Access } from './access.ts'
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
  }
}

export type ServiceDependencies = {
  database: Database
  /** Signs cursors and names of pictures. */
  secret: string
  /** Where clients reach the service, without a path. */
  publicUrl: string
  log?: ServiceLog
  /** The database's clock, unless a test sets one. */
  now?: () => Date | null
}
