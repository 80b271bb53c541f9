import type { QueryKey } from '@tanstack/react-query'
import type { LiveKind } from '#contract/bff/live.ts'
import { triageFilterSchema } from '#contract/bff/triage-filter.ts'

/**
 * The nouns whose answers an event may have made old. The feed's own rows stay as they are: its head tells of newer ones.
 * A list of what the team has done is only marked as old, for when it is opened anew.
 */
const NOUNS: Readonly<Record<LiveKind, readonly QueryKey[]>> = {
  // Not alerts: their list may cost a call, and an event of its own tells when they have matched.
  window: [['threats', 'head'], ['trends'], ['overview'], ['actors'], ['countries'], ['source']],
  source: [['source']],
  alerts: [['alerts']],
  triage: [
    ['triage'],
    ['overview'],
    ...triageFilterSchema.options.flatMap((triage) => [
      ['threats', 'head', { triage }],
      ['threats', 'list', { triage }],
    ]),
  ],
  views: [['views']],
}

export function keysOf(kind: LiveKind): readonly QueryKey[] {
  return NOUNS[kind]
}

export const ALL_KEYS: readonly QueryKey[] = Object.values(NOUNS).flat()
