import { Link } from '@tanstack/react-router'
import { Children, type ReactNode, useId, useState } from 'react'
import { count } from '#app/format/count.ts'
import { Absent } from '#app/ui/absent.tsx'
import type { ThreatDetail } from '#contract/bff/threat.ts'
import type { MissingParts, ThreatFilter } from '#contract/bff/threat-list.ts'

/** How a value that leads on looks. */
export const LINK =
  'touch min-w-0 max-w-full underline max-sm:min-w-11 decoration-edge underline-offset-2 hover:decoration-current'

export type ThreatPartProps = {
  threat: ThreatDetail
  /** Why members of it may be absent though the vendor has them. */
  missing: MissingParts | undefined
}

type ThreatSectionProps = {
  title: string
  /** A short remark beside the heading. */
  note?: ReactNode
  children: ReactNode
}

/** A part of a threat's page. */
export function ThreatSection({ title, note, children }: ThreatSectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="overflow-clip rounded-lg border border-line bg-surface">
      <header className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-2">
        <h2 id={id} className="font-semibold text-sm">
          {title}
        </h2>
        {note}
      </header>
      {children}
    </section>
  )
}

type FactProps = {
  name: string
  isWithheld?: boolean
  missing?: MissingParts | undefined
  children: ReactNode
}

const SHOWN_MAX_COUNT = 5

/** A name and its values in a `dl`; without values, why there are none. */
export function Fact({ name, isWithheld = false, missing, children }: FactProps) {
  const [isWhole, setIsWhole] = useState(false)
  const values = Children.toArray(children)
  const isLong = values.length > SHOWN_MAX_COUNT + 1
  const shown = isLong && !isWhole ? values.slice(0, SHOWN_MAX_COUNT) : values
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1 py-2.5">
      <dt className="font-medium text-faint text-xs">{name}</dt>
      {values.length === 0 && (
        <dd>
          <Absent isWithheld={isWithheld} missing={missing} />
        </dd>
      )}
      {shown.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: values have no identity but their place
        <dd key={index}>{value}</dd>
      ))}
      {isLong && (
        <dd>
          <button
            type="button"
            aria-expanded={isWhole}
            className="touch rounded-sm font-medium text-accent text-xs hover:underline"
            onClick={() => setIsWhole(!isWhole)}
          >
            {isWhole ? 'Show fewer' : `Show all ${count(values.length)}`}
          </button>
        </dd>
      )}
    </div>
  )
}

type FeedLinkProps = { filter: ThreatFilter; children: ReactNode }

/** A value that leads on to the threats that share it. */
export function FeedLink({ filter, children }: FeedLinkProps) {
  return (
    <Link to="/threats" search={filter} className={LINK}>
      {children}
    </Link>
  )
}
