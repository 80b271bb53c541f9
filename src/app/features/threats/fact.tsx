import { Children, type ReactNode } from 'react'
import { Absent } from './absent.tsx'

type FactProps = { name: string; isWithheld?: boolean; children: ReactNode }

/** A name and its values in a `dl`; without values, why there are none. */
export function Fact({ name, isWithheld = false, children }: FactProps) {
  const values = Children.toArray(children)
  return (
    <div className="grid gap-1 py-2.5">
      <dt className="font-medium text-faint text-xs">{name}</dt>
      {values.length === 0 ? (
        <dd>
          <Absent isWithheld={isWithheld} />
        </dd>
      ) : (
        values.map((value, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: values have no identity but their place
          <dd key={index} className="min-w-0">
            {value}
          </dd>
        ))
      )}
    </div>
  )
}
