import { type ReactNode, useId } from 'react'
import type { ThreatDetail } from '#contract/bff/threat.ts'
import type { MissingParts } from '#contract/bff/threat-list.ts'

export type ThreatPartProps = {
  threat: ThreatDetail
  /** Why members of it may be absent though the source has them. */
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
