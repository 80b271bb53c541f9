import type { Governor } from '#bff/upstream/quota/governor.ts'
import type { Key } from '#contract/bff/key.ts'
import type { SetState, Source } from '#contract/bff/source.ts'

export type KeyState = Pick<Key, 'status' | 'refusal'>

/** A route set without a key. */
export const NO_KEY = {
  status: 'unknown',
  reason: null,
  budgets: { minute: null, day: null },
  blockedUntil: null,
} as const satisfies SetState

export function keyStateOf(governor: Governor | undefined): KeyState {
  if (!governor) return { status: 'missing', refusal: null }
  const { keyRefusal, known } = governor
  if (keyRefusal === null) {
    return { status: known.answeredAtMs === null ? 'unknown' : 'valid', refusal: null }
  }
  const { refusedAtMs, retryAtMs, words } = keyRefusal
  const refusal = { at: isoOf(refusedAtMs), retryAt: isoOf(retryAtMs), words }
  return { status: 'refused', refusal }
}

/** Combines the states of all keys. */
export function worstKeyState(governors: readonly Governor[]): Source['key'] {
  if (governors.length === 0) return 'missing'
  if (governors.some(({ isKeyRefused }) => isKeyRefused)) return 'invalid'
  return governors.some(({ known }) => known.answeredAtMs !== null) ? 'valid' : 'unknown'
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
