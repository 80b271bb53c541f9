import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { closePopoverOf, Popover } from '#app/ui/popover.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { HOUR_MS } from '#contract/duration.ts'
import { nextMonday } from './next-monday.ts'

type PauseButtonProps = {
  isPaused: boolean
  isBusy: boolean
  /** True if the pause can end by itself. */
  hasEnd: boolean
  /** Null until somebody resumes it. */
  onPause(until: string | null): void
  onResume(): void
}

/** Pauses for a while, until a day, or until somebody resumes. */
export function PauseButton({ isPaused, isBusy, hasEnd, onPause, onResume }: PauseButtonProps) {
  const [day, setDay] = useState('')
  const after = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()
  const choices: readonly [string, () => string | null][] = [
    ['For 1 hour', () => after(1)],
    ['For 8 hours', () => after(8)],
    ['Until Monday', () => nextMonday(new Date()).toISOString()],
    ['Until somebody resumes it', () => null],
  ]
  return (
    <Popover
      label="Pause"
      className="w-64 p-2"
      renderTrigger={(trigger) => (
        // One button, paused or not: it keeps the focus.
        <Button
          size="small"
          isBusy={isBusy}
          className="max-sm:h-11"
          {...(hasEnd && !isPaused ? trigger : { onClick: () => (isPaused ? onResume() : onPause(null)) })}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      )}
    >
      <div className="grid gap-1">
        {choices.map(([label, until]) => (
          <Button
            key={label}
            variant="quiet"
            className="justify-start! max-sm:h-11"
            onClick={(event) => {
              closePopoverOf(event.currentTarget)
              onPause(until())
            }}
          >
            {label}
          </Button>
        ))}
        <div className="flex items-end gap-2 px-2 pt-1">
          <TextField
            label="Until a date"
            type="date"
            className="min-w-0 flex-1"
            value={day}
            onChange={(event) => setDay(event.target.value)}
          />
          <Button
            disabled={day === '' || startOf(day) <= Date.now()}
            className="max-sm:h-11"
            onClick={(event) => {
              closePopoverOf(event.currentTarget)
              onPause(new Date(startOf(day)).toISOString())
            }}
          >
            Pause
          </Button>
        </div>
      </div>
    </Popover>
  )
}

/** Returns the start of a day by the clock of this browser, epoch milliseconds. */
function startOf(day: string): number {
  return new Date(`${day}T00:00:00`).getTime()
}
