import type { CallPriority } from '#contract/bff/call-ledger.ts'

/** Why a call was made. */
export const REASONS: Readonly<Record<CallPriority, string>> = {
  person: 'Requested by a person',
  refresh: 'Update of an open page',
  window: 'Sync with the vendor',
  prefetch: 'Prefetch',
}

export const OUTCOMES = {
  answered: { label: 'Answered', tone: 'neutral' },
  refused_by_vendor: { label: 'Refused by the API', tone: 'warning' },
  failed: { label: 'Failed', tone: 'danger' },
  saved: { label: 'Not made, to save calls', tone: 'accent' },
} as const
