import type { Governor } from '#bff/upstream/quota/governor.ts'
import type { Key } from '#contract/bff/key.ts'
import type { SetState, Source } from '#contract/bff/source.ts'

export type KeyState = Pick<Key, 'status' | 'retryAt'>

/** A route set without a key. */
export const NO_KEY = {
  status: 'unknown',
  reason: null,
  budgets: { minute: null, day: null },
  blockedUntil: null,
} as const satisfies SetState

export function keyStateOf(governor: Governor | undefined): KeyState {
  if (!governor) return { status: 'missing', retryAt: null }
  const { keyRetryAtMs, known } = governor
  if (keyRetryAtMs !== null) return { status: 'refused', retryAt: new Date(keyRetryAtMs).toISOString() }
  return { status: known.answeredAtMs === null ? 'unknown' : 'valid', retryAt: null }
}

/** Combines the states of all keys. */
export function worstKeyState(governors: readonly Governor[]): Source['key'] {
  if (governors.length === 0) return 'missing'
  if (governors.some(({ isKeyRefused }) => isKeyRefused)) return 'invalid'
  return governors.some(({ known }) => known.answeredAtMs !== null) ? 'valid' : 'unknown'
}
