import type { QueryKey } from '@tanstack/react-query'
import type { LiveKind } from '#contract/bff/live.ts'

/** The nouns whose answers an event may have made old. The feed's own rows stay as they are: its head tells of newer ones. */
const NOUNS: Readonly<Record<LiveKind, readonly QueryKey[]>> = {
  // Not alerts: their list may cost a call, and an event of its own tells when they have matched.
  window: [['threats', 'head'], ['trends'], ['overview'], ['actors'], ['countries'], ['source']],
  source: [['source']],
  alerts: [['alerts']],
  triage: [['triage']],
  views: [['views']],
}

export function keysOf(kind: LiveKind): readonly QueryKey[] {
  return NOUNS[kind]
}

export const ALL_KEYS: readonly QueryKey[] = Object.values(NOUNS).flat()
