/**
 * Reference section 8. `Reset` is epoch seconds: the reference says 'Unix-time style'. Where a plan has a minute and a
 * day window, the three report the one with the smaller share left, which is the one that a client will meet first.
 */
export const RATE_HEADERS = {
  limit: 'X-RateLimit-Limit',
  remaining: 'X-RateLimit-Remaining',
  reset: 'X-RateLimit-Reset',
} as const

/** ISO 8601, on answers to trial keys. */
export const TRIAL_HEADER = 'X-Trial-Expires'

/** Not of the reference: `demo` while the service holds generated records. */
export const DATA_HEADER = 'x-lantern-data'

/** Not of the reference: what the service's records are called as they are now, by `formatDataVersion`. */
export const DATA_VERSION_HEADER = 'x-lantern-data-version'

/** Not of the reference: how many days back the key's plan reads, or `all`. */
export const DATA_WINDOW_HEADER = 'x-lantern-data-window'

/** Not of the reference: names of the routes that the service has beyond it, as its OpenAPI names them. */
export const EXTENSIONS_HEADER = 'x-lantern-extensions'

/** Not of the reference: on every answer of our own service, whoever runs it. An answer without it is a vendor's. */
export const SERVICE_HEADER = 'x-lantern-service'
export const OWN_SERVICE = 'own'
