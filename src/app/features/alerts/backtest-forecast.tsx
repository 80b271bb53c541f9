import { count } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Backtest } from '#contract/bff/alert.ts'
import { forecastInWords, isNoisy, loudestKeyword, matchesInWords } from './backtest-words.ts'

type BacktestForecastProps = { backtest: Backtest; onDropKeyword(keyword: string): void }

/** How much to expect, and what to do when it is more than anyone reads. */
export function BacktestForecast({ backtest, onDropKeyword }: BacktestForecastProps) {
  return (
    <div className="grid gap-2">
      <p className="font-semibold text-lg tabular-nums">{matchesInWords(backtest)}</p>
      <p className="text-muted text-sm tabular-nums">{forecastInWords(backtest)}</p>
      {isNoisy(backtest) && <NoiseWarning backtest={backtest} onDropKeyword={onDropKeyword} />}
    </div>
  )
}

function NoiseWarning({ backtest, onDropKeyword }: BacktestForecastProps) {
  const loudest = loudestKeyword(backtest)
  const keyword = loudest && backtest.keywords[loudest.index]?.keyword
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-2 rounded-md border border-medium/35 bg-medium/10 px-3 py-2 text-sm">
      <Icon name="alert" className="mt-0.5 size-4 text-medium" />
      <div className="grid justify-items-start gap-1.5">
        <p>
          More than {count(backtest.noiseLimitPerWeek)} a week is likely too many. Use rarer words or phrases,
          or a narrower search.
        </p>
        {loudest && keyword && (
          <>
            <p className="text-muted">
              “<Untrusted text={keyword} maxLength={60} clip="silent" />” alone brings {count(loudest.alone)}{' '}
              of {count(backtest.matches)}.
            </p>
            <Button size="small" icon="x" onClick={() => onDropKeyword(keyword)}>
              Remove “<Untrusted text={keyword} maxLength={60} clip="silent" />”
            </Button>
          </>
        )}
      </div>
    </div>
  )
}
