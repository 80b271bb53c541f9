import { expect, test } from 'vitest'
import { AT_ONCE, type Schedule } from '#contract/bff/alert-profile.ts'
import { scheduleInWords } from './schedule-words.ts'

const NIGHT = { from: '22:00', to: '06:30', isCriticalAtOnce: true }

test.each<[Schedule, string]>([
  [AT_ONCE, 'At once'],
  [{ kind: 'daily', hour: 8 }, 'Every day at 08:00, Europe/Berlin'],
  [{ kind: 'weekly', weekday: 1, hour: 17 }, 'Every Monday at 17:00, Europe/Berlin'],
  [{ kind: 'weekly', weekday: 7, hour: 0 }, 'Every Sunday at 00:00, Europe/Berlin'],
  [
    { kind: 'atOnce', quiet: NIGHT },
    'At once, quiet from 22:00 to 06:30, critical ones at once, Europe/Berlin',
  ],
  [
    { kind: 'atOnce', quiet: { ...NIGHT, isCriticalAtOnce: false } },
    'At once, quiet from 22:00 to 06:30, Europe/Berlin',
  ],
])('says when messages go: %j', (schedule, words) => {
  expect(scheduleInWords(schedule, 'Europe/Berlin')).toBe(words)
})
