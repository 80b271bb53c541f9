type Days = readonly { coverage: 'whole' | 'partial' | 'unknown' }[]

/**
 * What counts of the last days are of: `month` where Lantern has all of them so far, else `the 7 days stored`. The first
 * and the last one, of which only hours may be stored, are a day together.
 */
export function storedDays(days: Days, month = 'the last 30 days'): string {
  const known = days.filter(({ coverage }) => coverage !== 'unknown')
  const whole = known.filter(({ coverage }) => coverage === 'whole').length
  // Today may be minutes old, and not read yet.
  const hasAll = days.at(0)?.coverage === 'whole' && known.length >= days.length - 1
  if (hasAll || known.length === 0) return month
  if (whole === 0) return 'the hours stored'
  const count = whole + (known.length > whole ? 1 : 0)
  return count === 1 ? 'the day stored' : `the ${count} days stored`
}
