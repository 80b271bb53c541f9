import type { DismissReason } from '#contract/bff/triage-state.ts'

const REASONS: Readonly<Record<DismissReason, string>> = {
  not_relevant: 'Not relevant',
  duplicate: 'Duplicate',
  false_claim: 'False claim',
  handled: 'Handled',
  other: 'Other reason',
}

/** Why somebody dismissed a threat. */
export function dismissReason(reason: DismissReason): string {
  return REASONS[reason]
}
