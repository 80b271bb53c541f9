import { Link } from '@tanstack/react-router'
import { count } from '#app/format/count.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Backtest } from '#contract/bff/alert.ts'

const SHOWN = 5

/** Existing profiles that catch some of the same: whoever reads both would read it twice. */
export function BacktestOverlaps({ backtest: { overlaps, matches } }: { backtest: Backtest }) {
  const whole = overlaps.find(({ shared }) => matches > 0 && shared >= matches)
  return (
    <div className="grid gap-2 px-4 py-3 text-sm">
      {whole && (
        <p className="text-medium">
          <Untrusted text={whole.name} maxLength={80} clip="silent" /> catches all of these already.
        </p>
      )}
      <ul className="grid gap-1.5">
        {overlaps.slice(0, SHOWN).map(({ profileId, name, shared, matches: own }) => (
          <li key={profileId} className="flex items-baseline justify-between gap-3">
            <Link
              to="/alerts"
              search={{ profile: profileId }}
              className="min-w-0 truncate rounded-sm text-accent hover:underline"
            >
              <Untrusted text={name} maxLength={80} clip="silent" />
            </Link>
            <span className="shrink-0 text-muted text-xs tabular-nums">
              {count(shared)} of its {count(own)}
            </span>
          </li>
        ))}
      </ul>
      {overlaps.length > SHOWN && (
        <p className="text-faint text-xs">and {count(overlaps.length - SHOWN)} more profiles</p>
      )}
    </div>
  )
}
