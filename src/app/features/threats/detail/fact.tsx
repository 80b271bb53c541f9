import { Children, type ReactNode, useState } from 'react'
import { count } from '#app/format/count.ts'
import type { MissingParts } from '#contract/bff/threat-list.ts'
import { Absent } from '../absent.tsx'

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
