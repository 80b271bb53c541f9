import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { count } from '#app/format/count.ts'
import { rowNoun, rowsOf } from '#app/format/counted-rows.ts'
import { Figure } from '#app/ui/figure.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'

type CountFigureProps = {
  /** Null where nothing of the time is stored: unknown, not zero. */
  shown: number | null
  /** It has `cases` where cases are counted. */
  counted: { cases?: unknown }
  /** `in 30 days` */
  time: string
  /** The filter of the feed that lists exactly what is counted. */
  filter: ThreatFilter
  note: ReactNode
}

/** How many cases or claims a subject has, and the way to them. */
export function CountFigure({ shown, counted, time, filter, note }: CountFigureProps) {
  const noun = rowNoun(counted)
  return (
    <Figure
      name={`${noun === 'case' ? 'Cases' : 'Claims'} ${time}`}
      value={
        shown === null ? (
          count(null)
        ) : (
          <Link
            to="/threats"
            search={{ ...filter, ...rowsOf(counted) }}
            className="touch rounded-sm hover:underline"
          >
            {count(shown)}{' '}
            <VisuallyHidden>
              {noun}s {time}
            </VisuallyHidden>
          </Link>
        )
      }
      note={shown !== null && note}
    />
  )
}
