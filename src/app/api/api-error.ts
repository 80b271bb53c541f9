import type { Problem, ProblemCode } from '#contract/bff/problem.ts'

const FINAL_CODES: ReadonlySet<ProblemCode> = new Set([
  'bad_request',
  'role_not_allowed',
  'not_found',
  'filter_not_supported',
  'key_missing',
  'key_invalid',
  'plan_not_allowed',
  'not_offered',
])

/** Any failure of a request to the BFF. Its members may be shown to a person. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly problem: Problem

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.title, options)
    this.problem = problem
  }

  get detail(): string {
    return this.problem.detail
  }

  /** True if the same request fails again until somebody changes something. */
  get isFinal(): boolean {
    return FINAL_CODES.has(this.problem.code) && this.retryAt === undefined
  }

  /** True if no answer came: the network or the server is down. */
  get isAway(): boolean {
    return this.problem.status === 0
  }

  get retryAt(): string | undefined {
    return this.problem.retryAt
  }

  get requestId(): string | undefined {
    return this.problem.requestId
  }
}

/** True when the reader's own session is over: the only failure that leads to the sign-in page. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.problem.code === 'signed_out'
}

/** True where the requested thing does not exist, or its name cannot be valid. */
export function isUnknown(error: unknown): error is ApiError {
  return error instanceof ApiError && ['not_found', 'bad_request'].includes(error.problem.code)
}
