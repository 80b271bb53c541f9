import { ProblemError } from '#bff/problem-error.ts'

/** Refuses what is no zone here: readers' browsers may know newer ones. */
export function requireTimeZone(timeZone: string): void {
  if (isTimeZone(timeZone)) return
  throw new ProblemError({
    code: 'bad_request',
    detail: 'Correct the fields named here.',
    fields: [{ name: 'timeZone', reason: 'is not the name of a time zone' }],
  })
}

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}
