import type { ReactNode } from 'react'
import { Checkbox } from '#app/ui/checkbox.tsx'
import { SelectField, TextField } from '#app/ui/field.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { AT_ONCE, type QuietHours, type Schedule } from '#contract/bff/alert-profile.ts'
import { hourInWords, WEEKDAYS } from '../schedule-words.ts'

const MORNING = 8
const NIGHT: QuietHours = { from: '22:00', to: '06:00', isCriticalAtOnce: true }
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** Returns the schedule that a change of its kind begins with. The hour stays. */
const START: Readonly<Record<Schedule['kind'], (hour: number) => Schedule>> = {
  atOnce: () => AT_ONCE,
  daily: (hour) => ({ kind: 'daily', hour }),
  weekly: (hour) => ({ kind: 'weekly', weekday: 1, hour }),
}

const KINDS = [
  ['atOnce', 'At once'],
  ['daily', 'Daily digest'],
  ['weekly', 'Weekly digest'],
] as const

type ScheduleFieldsProps = {
  schedule: Schedule
  /** It is never sent at once. */
  isDigest: boolean
  /** The zone that its hours are of. */
  timeZone: string
  fault: ReactNode
  onChange(schedule: Schedule): void
}

/** When the messages of a profile go. */
export function ScheduleFields({ schedule, isDigest, timeZone, fault, onChange }: ScheduleFieldsProps) {
  const hour = schedule.kind === 'atOnce' ? MORNING : schedule.hour
  return (
    <SectionCard title="When">
      <div className="grid gap-4 p-4">
        <div className="grid gap-4 sm:grid-cols-3">
          <SelectField
            label="Send"
            name="schedule"
            value={schedule.kind}
            onChange={({ target }) => {
              const chosen = KINDS.find(([kind]) => kind === target.value)
              if (chosen) onChange(START[chosen[0]](hour))
            }}
          >
            {KINDS.filter(([kind]) => !isDigest || kind !== 'atOnce').map(([kind, label]) => (
              <option key={kind} value={kind}>
                {label}
              </option>
            ))}
          </SelectField>
          {schedule.kind === 'weekly' && (
            <SelectField
              label="Day"
              name="weekday"
              value={schedule.weekday}
              onChange={({ target }) => onChange({ ...schedule, weekday: Number(target.value) })}
            >
              {WEEKDAYS.map((name, at) => (
                <option key={name} value={at + 1}>
                  {name}
                </option>
              ))}
            </SelectField>
          )}
          {schedule.kind !== 'atOnce' && (
            <SelectField
              label="Hour"
              name="hour"
              value={schedule.hour}
              onChange={({ target }) => onChange({ ...schedule, hour: Number(target.value) })}
            >
              {HOURS.map((each) => (
                <option key={each} value={each}>
                  {hourInWords(each)}
                </option>
              ))}
            </SelectField>
          )}
        </div>
        {schedule.kind === 'atOnce' && (
          <Quiet
            quiet={schedule.quiet}
            fault={fault}
            onChange={(quiet) => onChange({ ...schedule, quiet })}
          />
        )}
        {(schedule.kind !== 'atOnce' || schedule.quiet) && (
          <p className="text-faint text-xs">Times are of {timeZone}.</p>
        )}
      </div>
    </SectionCard>
  )
}

type QuietProps = {
  quiet: QuietHours | null
  fault: ReactNode
  onChange(quiet: QuietHours | null): void
}

/** Hours in which matches wait. */
function Quiet({ quiet, fault, onChange }: QuietProps) {
  const time = (name: 'from' | 'to', label: string) => (
    <TextField
      type="time"
      label={label}
      name={`quiet-${name}`}
      value={quiet?.[name] ?? ''}
      error={name === 'to' ? fault : undefined}
      // A time that is half typed is none.
      onChange={({ target }) => quiet && target.value !== '' && onChange({ ...quiet, [name]: target.value })}
    />
  )
  return (
    <>
      <Checkbox isChecked={quiet !== null} onChange={(isOn) => onChange(isOn ? NIGHT : null)}>
        Quiet hours
      </Checkbox>
      {quiet && (
        <div className="grid gap-4 sm:grid-cols-3">
          {time('from', 'Quiet from')}
          {time('to', 'Quiet to')}
          <div className="self-end">
            <Checkbox
              isChecked={quiet.isCriticalAtOnce}
              onChange={(isCriticalAtOnce) => onChange({ ...quiet, isCriticalAtOnce })}
            >
              Critical ones at once
            </Checkbox>
          </div>
        </div>
      )}
    </>
  )
}
