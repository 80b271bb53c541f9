import { Icon } from '#app/ui/icon.tsx'

type AbsentProps = { isWithheld: boolean; isShort?: boolean }

/** Stands where a value is not: withheld by the plan, or never given. The two are different facts. */
export function Absent({ isWithheld, isShort = false }: AbsentProps) {
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
  if (!isShort) return <span className="text-faint">Not given</span>
  return (
    <span className="text-faint">
      <span aria-hidden="true">—</span>
      <span className="sr-only">Not given</span>
    </span>
  )
}
