type Days = readonly { coverage: 'whole' | 'partial' | 'unknown' }[]
type Kind = { name: string; unit: 'day' | 'week' | 'month'; isRunning: boolean }

const LAST_DAYS: Kind = { name: '30d', unit: 'day', isRunning: true }

/**
 * Names the stored part of a period: `phrase` if all of it so far is stored, otherwise `the 7 days stored`. The first and
 * last day, which may be stored in part, count as one.
 */
export function storedDays(
  days: Days,
  phrase = 'the last 30 days',
  { name, unit, isRunning }: Kind = LAST_DAYS,
): string {
  const known = days.filter(({ coverage }) => coverage !== 'unknown')
  const whole = known.filter(({ coverage }) => coverage === 'whole').length
  // Today may be minutes old, and not read yet.
  const hasAll = isRunning
    ? (days.at(0)?.coverage === 'whole' || days.length === 1) && known.length >= days.length - 1
    : whole === days.length
  if (hasAll || known.length === 0) return phrase
  const isNamed = name.includes('-')
  if (unit !== 'day') return `the stored part of ${phrase}`
  const count = whole + (known.length > whole ? 1 : 0)
  const stored =
    whole === 0 ? 'the hours stored' : count === 1 ? 'the day stored' : `the ${count} days stored`
  return isNamed ? `${stored} of ${phrase}` : stored
}
