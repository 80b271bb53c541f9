import { useNavigate } from '@tanstack/react-router'
import { IconButton } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { RowKindChoice } from '#app/ui/row-kind-choice.tsx'
import { useNow } from '#app/ui/use-now.ts'
import {
  DEFAULT_PERIOD,
  firstMonthOf,
  periodParam,
  periodPhrase,
  periodTitle,
  RUNNING_PERIODS,
  shiftPeriod,
} from '#contract/bff/period.ts'
import { LoadHistory } from './load-history.tsx'
import { todayIn } from './period-options.ts'
import type { PeriodSearch } from './period-search.ts'
import { usePeriod } from './use-period.ts'
import { useRows } from './use-rows.ts'

/** Lantern reads these first, without a request. */
const READ_FIRST = ['7d', '30d']
const MONTHS_COUNT = 13
const QUARTERS_COUNT = 5

/** Chooses what a page's figures count, and of which time: up to now, a month or a quarter. */
export function PeriodPicker() {
  const { name, isUnreadable } = usePeriod()
  const timeZone = useTimeZone()
  const navigate = useNavigate()
  const change = (search: PeriodSearch) =>
    navigate({ to: '.', search: (before) => ({ ...before, ...search }), resetScroll: false })
  const today = todayIn(timeZone, useNow())
  const choose = (chosen: string) => change({ period: periodParam(chosen) })
  const month = today.slice(0, 7)
  const quarter = `${today.slice(0, 4)}-Q${Math.ceil(Number(today.slice(5, 7)) / 3)}`
  const groups = [
    { label: 'Up to now', names: [...RUNNING_PERIODS] },
    { label: 'Month', names: withChosen(lastOnes(month, MONTHS_COUNT), name, /-\d\d$/) },
    { label: 'Quarter', names: withChosen(lastOnes(quarter, QUARTERS_COUNT), name, /-Q/) },
  ]
  return (
    <>
      <div className="flex items-center gap-1 print:hidden">
        <StepButton label="Period before" icon="chevron-left" to={shiftPeriod(name, -1)} onStep={choose} />
        <label className="flex items-center gap-2">
          <span className="font-medium text-muted text-xs">Period</span>
          <span className="relative block">
            <select
              value={name}
              onChange={({ target }) => choose(target.value)}
              className="h-8 appearance-none truncate rounded-md border border-edge bg-surface pr-7 pl-2.5 text-sm max-sm:h-11 max-sm:text-lg"
            >
              {groups.map(({ label, names }) => (
                <optgroup key={label} label={label}>
                  {names.map((each) => (
                    <option key={each} value={each}>
                      {periodTitle(each)}
                    </option>
                  ))}
                </optgroup>
              ))}
            </select>
            <Icon
              name="chevron-down"
              className="pointer-events-none absolute inset-y-0 right-2 my-auto size-3.5 text-faint"
            />
          </span>
        </label>
        <StepButton
          label="Period after"
          icon="chevron-right"
          to={shiftPeriod(name, 1)}
          isDisabled={(firstMonthOf(shiftPeriod(name, 1) ?? '') ?? '') > month}
          onStep={choose}
        />
      </div>
      <span className="flex h-8 items-center max-sm:h-11 print:hidden">
        <RowKindChoice legend="Count" isLabelled rows={useRows()} onChoose={(rows) => change({ rows })} />
      </span>
      <span className="hidden text-muted text-sm print:inline">{periodTitle(name)}</span>
      {isUnreadable && (
        <p role="status" className="basis-full text-medium text-sm print:hidden">
          The period in the address is unknown or still to come. This page shows{' '}
          {periodPhrase(DEFAULT_PERIOD)}.
        </p>
      )}
      {!READ_FIRST.includes(name) && (
        <LoadHistory key={name} time={{ period: name, timeZone }} className="basis-full" />
      )}
    </>
  )
}

type StepButtonProps = {
  label: string
  icon: 'chevron-left' | 'chevron-right'
  /** Null where there is no such step. */
  to: string | null
  isDisabled?: boolean
  onStep(name: string): void
}

function StepButton({ label, icon, to, isDisabled = false, onStep }: StepButtonProps) {
  if (to === null) return null
  return (
    <IconButton
      icon={icon}
      label={`${label}: ${periodTitle(to)}`}
      disabled={isDisabled}
      onClick={() => onStep(to)}
      className="max-sm:hidden"
    />
  )
}

/** A month or a quarter and those before it, the newest first. */
function lastOnes(newest: string, count: number): string[] {
  const names = [newest]
  while (names.length < count) names.push(shiftPeriod(names.at(-1) ?? '', -1) ?? '')
  return names
}

/** An older one that an address names stands at the end. */
function withChosen(names: readonly string[], chosen: string, kind: RegExp): string[] {
  return names.includes(chosen) || !kind.test(chosen) ? [...names] : [...names, chosen]
}
