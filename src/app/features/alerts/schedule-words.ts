import type { Schedule } from '#contract/bff/alert-profile.ts'

/** By their numbers, from 1. */
export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

export function hourInWords(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

/** `Every Monday at 08:00, Europe/Berlin` */
export function scheduleInWords(schedule: Schedule, timeZone: string): string {
  switch (schedule.kind) {
    case 'daily':
      return `Every day at ${hourInWords(schedule.hour)}, ${timeZone}`
    case 'weekly':
      return `Every ${WEEKDAYS[schedule.weekday - 1] ?? 'week'} at ${hourInWords(schedule.hour)}, ${timeZone}`
    default: {
      const { quiet } = schedule
      if (!quiet) return 'At once'
      const exception = quiet.isCriticalAtOnce ? ', critical ones at once' : ''
      return `At once, quiet from ${quiet.from} to ${quiet.to}${exception}, ${timeZone}`
    }
  }
}
