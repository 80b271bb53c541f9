import { DAY_MS } from './time.ts'

type Covered = { covers: { from: string | null; to: string | null } }

const MONTH = 30

/** What counts of the last 30 days are of: `the 7 days stored` where Lantern has less, and `month` where it has all. */
export function storedDays({ covers: { from, to } }: Covered, month = 'the last 30 days'): string {
  if (from === null || to === null) return month
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
  if (days >= MONTH) return month
  if (days < 1) return 'the hours stored'
  return days === 1 ? 'the day stored' : `the ${days} days stored`
}
