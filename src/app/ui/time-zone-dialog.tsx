import { type KeyboardEvent, useId, useState } from 'react'
import { clockTime } from '#app/format/time.ts'
import { findTimeZones, offsetOf, timeZones } from '#app/format/time-zones.ts'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'
import { Icon } from './icon.tsx'
import { changePreferences, useTimeZone } from './preferences.ts'
import { useNow } from './use-now.ts'

type TimeZoneDialogProps = { isOpen: boolean; onClose(): void }

export function TimeZoneDialog({ isOpen, onClose }: TimeZoneDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Time zone" size="small">
      <p className="mb-3 text-muted text-sm">All times and day filters use it.</p>
      <TimeZoneSearch onChosen={onClose} />
    </Dialog>
  )
}

const SHOWN_MAX_COUNT = 60

function TimeZoneSearch({ onChosen }: { onChosen: () => void }) {
  const listId = useId()
  const chosen = useTimeZone()
  const now = useNow()
  const [all] = useState(timeZones)
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const found = findTimeZones(all, query).slice(0, SHOWN_MAX_COUNT)
  const optionId = (index: number) => `${listId}-${index}`

  const choose = (timeZone: string) => {
    changePreferences({ timeZone })
    onChosen()
  }
  const handleKey = (event: KeyboardEvent) => {
    const timeZone = found.at(active)
    const next = { ArrowDown: active + 1, ArrowUp: active - 1 }[event.key]
    if (event.key === 'Enter' && timeZone) choose(timeZone)
    else if (next === undefined) return
    else setActive((next + found.length) % Math.max(1, found.length))
    event.preventDefault()
  }

  return (
    <>
      <TextField
        label="Find a zone"
        icon="search"
        placeholder="Berlin, New York, Tokyo…"
        autoComplete="off"
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found.length > 0 ? optionId(active) : undefined}
        data-first-focus
        value={query}
        onKeyDown={handleKey}
        onChange={(event) => {
          setQuery(event.target.value)
          setActive(0)
        }}
      />
      <div id={listId} role="listbox" aria-label="Time zones" className="-mx-2 mt-2 h-72 overflow-auto">
        {found.map((timeZone, index) => (
          <div
            key={timeZone}
            id={optionId(index)}
            ref={index === active ? keepInView : undefined}
            role="option"
            tabIndex={-1}
            aria-selected={timeZone === chosen}
            onClick={() => choose(timeZone)}
            onKeyDown={handleKey}
            className={`flex h-8 cursor-pointer items-center gap-2 rounded-md px-2 hover:bg-hover max-sm:h-11 ${index === active ? 'bg-hover' : ''}`}
          >
            <span className="grid size-4 place-items-center">
              {timeZone === chosen && <Icon name="check" className="size-4 text-accent" />}
            </span>
            <span className="truncate">{timeZone.replaceAll('_', ' ')}</span>
            <span className="ml-auto text-faint text-xs tabular-nums">
              {clockTime(now, timeZone).slice(0, 5)} · {offsetOf(timeZone, now)}
            </span>
          </div>
        ))}
        {found.length === 0 && <p className="px-2 py-6 text-center text-muted">No zone has this name.</p>}
      </div>
    </>
  )
}

function keepInView(option: HTMLElement | null) {
  option?.scrollIntoView({ block: 'nearest' })
}
