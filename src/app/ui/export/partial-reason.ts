type Days = readonly { coverage: string }[]

/** Why counts are not of all of their days, weeks or months, for a person; null when they are. */
export function missingDays(days: Days, unit: 'day' | 'week' | 'month'): string | null {
  const stored = days.filter(({ coverage }) => coverage !== 'unknown').length
  return stored < days.length
    ? `Counts are of ${stored} of ${days.length} ${unit}s: the others are not stored.`
    : null
}

/** All reasons in one text; null without any. */
export function joinReasons(reasons: readonly (string | null)[]): string | null {
  return reasons.filter((reason) => reason !== null).join(' ') || null
}
