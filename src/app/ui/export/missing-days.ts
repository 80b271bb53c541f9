type Days = readonly { coverage: string }[]

/** Why counts by day are not of all their days, for a person; null when they are. */
export function missingDays(days: Days): string | null {
  const stored = days.filter(({ coverage }) => coverage !== 'unknown').length
  return stored < days.length
    ? `Counts are of the ${stored} days that Lantern has stored of the last ${days.length}.`
    : null
}
