import { type ReactNode, useId } from 'react'

/** A titled part of the backtest. */
export function BacktestPart({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="px-4 pt-3 pb-1 font-medium text-muted text-xs">
        {title}
      </h3>
      {children}
    </section>
  )
}
