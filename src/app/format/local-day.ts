import { ABSENT, millisecondsOf } from './time.ts'

/** A day in the reader's locale, with the month in letters: `1 Nov 2026`, `Nov 1, 2026`, `1. Nov. 2026`. */
export function localDay(day: string, locale?: string): string {
  const milliseconds = millisecondsOf(day)
  if (Number.isNaN(milliseconds)) return ABSENT
  const options = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(locale, options).format(milliseconds)
}
