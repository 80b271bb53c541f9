import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { changePreferences, usePreferences } from '#app/ui/preferences.ts'
import { ThemeChoice } from '#app/ui/theme-choice.tsx'
import { TimeZoneDialog } from '#app/ui/time-zone-dialog.tsx'

export function ReadingForm() {
  const { timeZone, hasLetterKeys } = usePreferences()
  const [isChoosing, setIsChoosing] = useState(false)
  return (
    <div className="grid gap-4 p-4">
      <div className="grid gap-1">
        <p aria-hidden="true" className="font-medium text-muted text-xs">
          Theme
        </p>
        <ThemeChoice />
      </div>
      <div className="grid gap-1">
        <p className="font-medium text-muted text-xs">Time zone</p>
        <div className="flex flex-wrap items-center gap-3">
          <Button icon="globe" onClick={() => setIsChoosing(true)} className="max-sm:h-11">
            {timeZone.replaceAll('_', ' ')}
          </Button>
          <p className="text-faint text-xs">All times, day filters and charts use it.</p>
        </div>
        <TimeZoneDialog isOpen={isChoosing} onClose={() => setIsChoosing(false)} />
      </div>
      <label className="flex items-start gap-2 text-sm">
        <input
          type="checkbox"
          className="mt-0.5"
          checked={hasLetterKeys}
          onChange={(event) => changePreferences({ hasLetterKeys: event.target.checked })}
        />
        <span>
          Keyboard shortcuts
          <span className="block text-faint text-xs">Press ? on a page to see its keys.</span>
        </span>
      </label>
    </div>
  )
}
