import { Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { ApiError } from '#app/api/api-error.ts'
import { count } from '#app/format/count.ts'
import { countryName } from '#app/format/country-name.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { LoadingParts } from '#app/ui/loaded-part.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { Backtest } from '#contract/bff/alert.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { chipsOf } from '#matcher/query/edit-query.ts'
import { MatchItem } from '../profiles/match-item.tsx'
import { BacktestDays } from './backtest-days.tsx'
import { BacktestKeywords } from './backtest-keywords.tsx'
import {
  forecastInWords,
  isNoisy,
  loudestKeyword,
  matchesInWords,
  searchedInWords,
} from './backtest-words.ts'

type BacktestPanelProps = {
  /** The search that is compared. */
  filter: ThreatFilter
  /** There is something to compare with. */
  isSearched: boolean
  backtest: Backtest | undefined
  /** The shown result belongs to an earlier draft. */
  isBehind: boolean
  error: Error | null
  onRetry(): void
  onDropKeyword(keyword: string): void
  /** Absent where the profile cannot hold a narrower search. */
  onNarrow: ((filter: ThreatFilter) => void) | undefined
}

/** Shows what the draft would have matched in the stored threats, while it is being written. */
export function BacktestPanel(props: BacktestPanelProps) {
  const { isSearched, backtest, isBehind, error, onRetry } = props
  return (
    <SectionCard title="Backtest" note={isSearched && backtest && <AgeNote freshness={backtest.freshness} />}>
      <VisuallyHidden role="status">
        {isSearched && backtest && !isBehind && matchesInWords(backtest)}
      </VisuallyHidden>
      {!isSearched && (
        <EmptyState icon="clock" title="Preview">
          Add a keyword or a search: what it would have matched in the last 30 days appears here, without API
          calls.
        </EmptyState>
      )}
      {isSearched && error && <BacktestFailure error={error} onRetry={onRetry} />}
      {isSearched && !error && !backtest && (
        <LoadingParts
          label="Comparing with the stored threats…"
          heights={['h-7', 'h-28', 'h-64']}
          className="grid gap-4 p-4"
        />
      )}
      {isSearched && !error && backtest && (
        <div
          aria-busy={isBehind}
          className="divide-y divide-line transition-opacity delay-150 aria-busy:opacity-60"
        >
          <BacktestResult {...props} backtest={backtest} />
        </div>
      )}
    </SectionCard>
  )
}

type BacktestResultProps = BacktestPanelProps & { backtest: Backtest }

function BacktestResult({ backtest, filter, onDropKeyword, onNarrow }: BacktestResultProps) {
  const { matches, samples, overlaps, overlapsUnavailable } = backtest
  return (
    <>
      <div className="grid gap-4 px-4 py-3">
        <BacktestForecast backtest={backtest} onDropKeyword={onDropKeyword} />
        <BacktestDays backtest={backtest} />
        <p className="text-faint text-xs">{searchedInWords(backtest)}</p>
      </div>
      {onNarrow && backtest.narrower.length > 0 && (
        <BacktestPart title="Narrower searches">
          <BacktestNarrower backtest={backtest} onNarrow={onNarrow} />
        </BacktestPart>
      )}
      {backtest.conditions.length > 1 && (
        <BacktestPart title="Matches by condition">
          <BacktestConditions backtest={backtest} filter={filter} />
        </BacktestPart>
      )}
      {backtest.keywords.length > 0 && (
        <BacktestPart title="Matches by keyword">
          <BacktestKeywords backtest={backtest} onRemove={onDropKeyword} />
        </BacktestPart>
      )}
      {overlaps.length > 0 && (
        <BacktestPart title="Also matched by">
          <BacktestOverlaps backtest={backtest} />
        </BacktestPart>
      )}
      {overlapsUnavailable && (
        <p className="px-4 py-2 text-faint text-xs">
          Overlaps with other profiles are not available: {overlapsUnavailable}
        </p>
      )}
      <BacktestPart title={samples.length < matches ? `The newest ${samples.length} matches` : 'Matches'}>
        {samples.length === 0 ? (
          <p className="px-4 py-3 text-muted text-sm">
            {matches === 0 ? 'No stored threat matches.' : 'The newest matches are still being read.'}
          </p>
        ) : (
          <ul className="divide-y divide-line">
            {samples.map(({ threat, keywords }) => (
              <MatchItem key={`${threat.set} ${threat.id}`} threat={threat} keywords={keywords} />
            ))}
          </ul>
        )}
      </BacktestPart>
    </>
  )
}

function BacktestFailure({ error, onRetry }: { error: Error; onRetry(): void }) {
  if (error instanceof ApiError && error.problem.code === 'window_empty') {
    return (
      <EmptyState icon="clock" title="Nothing to compare with yet">
        {error.detail}
      </EmptyState>
    )
  }
  return (
    <div className="p-4">
      <ErrorPanel error={error} onRetry={onRetry} />
    </div>
  )
}

const SHOWN = 5

/** Existing profiles that catch some of the same: whoever reads both would read it twice. */
function BacktestOverlaps({ backtest: { overlaps, matches } }: { backtest: Backtest }) {
  const whole = overlaps.find(({ shared }) => matches > 0 && shared >= matches)
  return (
    <div className="grid gap-2 px-4 py-3 text-sm">
      {whole && (
        <p className="text-medium">
          <Untrusted text={whole.name} maxLength={80} clip="silent" /> matches all of these already.
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

/** A titled part of the backtest. */
function BacktestPart({ title, children }: { title: string; children: ReactNode }) {
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

type BacktestForecastProps = { backtest: Backtest; onDropKeyword(keyword: string): void }

/** How much to expect, and what to do when it is more than anyone reads. */
function BacktestForecast({ backtest, onDropKeyword }: BacktestForecastProps) {
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

type Narrower = Backtest['narrower'][number]

/** Searches that match fewer; a press takes one over. */
function BacktestNarrower({
  backtest: { matches, narrower },
  onNarrow,
}: {
  backtest: Backtest
  onNarrow(filter: ThreatFilter): void
}) {
  return (
    <ul className="flex flex-wrap gap-1.5 px-4 pt-1 pb-3">
      {narrower.map((one) => (
        <li key={`${one.field} ${one.values.join(' ')}`} className="min-w-0 max-w-full">
          <Button size="small" className="max-w-full gap-0! max-sm:h-11" onClick={() => onNarrow(one.filter)}>
            <span className="truncate">
              <Untrusted text={labelOf(one)} maxLength={60} clip="silent" />
            </span>
            <span>
              : {count(matches)} → {count(one.matches)}
            </span>
          </Button>
        </li>
      ))}
    </ul>
  )
}

function labelOf({ field, values }: Narrower): string {
  const [first = ''] = values
  if (field === 'severity') return values.length > 1 ? 'High or critical' : 'Critical only'
  return `Only ${field === 'country' ? countryName(first) : first}`
}

/** Lists what each condition of a search matches alone. */
function BacktestConditions({
  backtest: { conditions },
  filter,
}: {
  backtest: Backtest
  filter: ThreatFilter
}) {
  const parts = chipsOf(filter.q ?? '')
  return (
    <ul className="grid gap-1 px-4 pt-1 pb-3 text-sm">
      {conditions.map(({ name, part, count: matches }) => (
        <li key={`${name} ${part}`} className="flex items-baseline justify-between gap-3">
          <span className="min-w-0 truncate font-mono text-xs">
            <Untrusted
              text={
                part === undefined ? `${name}:${[filter[name]].flat().join(',')}` : (parts[part]?.text ?? '')
              }
              maxLength={120}
              clip="silent"
              isRaw
            />
          </span>
          <span className="shrink-0 text-muted text-xs tabular-nums">{count(matches)} alone</span>
        </li>
      ))}
    </ul>
  )
}
