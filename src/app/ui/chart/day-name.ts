const SHORT = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })
const LONG = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

/** A calendar day such as `2026-11-21` as `21 Nov`. */
export function shortDay(date: string): string {
  return nameBy(SHORT, date)
}

/** The same as `Sat 21 Nov 2026`. */
export function longDay(date: string): string {
  return nameBy(LONG, date).replace(',', '')
}

function nameBy(format: Intl.DateTimeFormat, date: string): string {
  const milliseconds = Date.parse(date)
  return Number.isNaN(milliseconds) ? date : format.format(milliseconds)
}
