import { Icon } from './icon.tsx'

/** Why parts of a record may be absent though the vendor has them. */
type Missing = { state: 'reading' | 'unavailable' | 'gone'; because: string }

type AbsentProps = {
  isWithheld: boolean
  isShort?: boolean
  /** Why it may not be all that the vendor has. */
  missing?: Missing | undefined
}

/** Stands where a value is not: withheld by the plan, not read, or never given. These are different facts. */
export function Absent({ isWithheld, isShort = false, missing }: AbsentProps) {
  if (isWithheld) {
    return (
      <span className="inline-flex items-center gap-1 rounded-sm border border-line bg-hover px-1.5 text-2xs text-muted">
        <Icon name="lock" className="size-3" />
        <span>
          Withheld<span className={isShort ? 'sr-only' : undefined}> by your plan</span>
        </span>
      </span>
    )
  }
  if (!isShort) return <span className="text-muted">{describeAbsence(missing)}</span>
  return (
    <span className="text-faint">
      <span aria-hidden="true">—</span>
      <span className="sr-only">Not given</span>
    </span>
  )
}

/** Says why something is missing. “Not given” is known only after every route that may have it was queried. */
export function describeAbsence(missing: Missing | undefined): string {
  if (!missing) return 'Not given'
  if (missing.state === 'reading') return 'Asking the vendor…'
  return `Not available ${missing.state === 'gone' ? 'any more' : 'now'}, because ${missing.because}`
}
