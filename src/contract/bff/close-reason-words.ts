const REASONS: ReadonlyMap<string, string> = new Map([
  ['not_relevant', 'Not relevant'],
  ['duplicate', 'Duplicate'],
  ['false_claim', 'False claim'],
  ['handled', 'Handled'],
  ['other', 'Other reason'],
])

/** Why somebody closed a threat. */
export function closeReason(reason: string): string {
  return REASONS.get(reason) ?? reason
}
