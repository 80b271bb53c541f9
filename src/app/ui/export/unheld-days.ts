type Days = readonly { coverage: string }[]

/** Why counts by day are not of all their days, for a person; null when they are. */
export function unheldDays(days: Days): string | null {
  const held = days.filter(({ coverage }) => coverage !== 'unknown').length
  return held < days.length
    ? `Counts are of the ${held} days that Lantern has stored of the last ${days.length}.`
    : null
}
