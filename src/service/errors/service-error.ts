export type ServiceErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 429 | 500 | 503

type Details = {
  headers?: Readonly<Record<string, string>>
  /** Members of the body beside `error`. */
  extra?: Readonly<Record<string, number>>
}

/** A failure that a client sees. app.ts turns it into `{ error }`; nothing else makes error bodies. */
export class ServiceError extends Error {
  readonly status: ServiceErrorStatus
  readonly headers: Readonly<Record<string, string>>
  readonly extra: Readonly<Record<string, number>>

  constructor(status: ServiceErrorStatus, message: string, { headers = {}, extra = {} }: Details = {}) {
    super(message)
    this.status = status
    this.headers = headers
    this.extra = extra
  }
}

/** `name` is the parameter's, `reason` says what is permitted: `must be a whole number from 1 to 50`. */
export function invalidParameter(name: string, reason: string): ServiceError {
  return new ServiceError(400, `Invalid parameter "${name}": ${reason}`)
}
