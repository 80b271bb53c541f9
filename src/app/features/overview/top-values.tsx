import type { ReactNode } from 'react'
import { soFar, storedPhrase, storedShort } from '#app/features/periods/period-options.ts'
import { rowNoun, rowsOf, shownComparison, shownCount } from '#app/format/counted-rows.ts'
import { countryName } from '#app/format/country-name.ts'
import { BAR_LINK, BarList } from '#app/ui/chart/bar-list.tsx'
import { Flag } from '#app/ui/country-label.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Overview, RankedValue } from '#contract/bff/overview.ts'
import { filterOfPeriod, periodPhrase } from '#contract/bff/period.ts'
import { SEVERITIES } from '#contract/severity.ts'
import { CountedLink } from './counted-link.tsx'

type Name = keyof Overview['top']
type TopValuesProps = { name: Name; overview: Overview; tools?: ReactNode }

const TITLES: Readonly<Record<Name, string>> = {
  actor: 'Top actors',
  country: 'Top countries',
  industry: 'Top industries',
  severity: 'Severities',
}
const NAME_MAX_LENGTH = 80

/** The most frequent values of the period, and what became of them. */
export function TopValues({ name, overview, tools }: TopValuesProps) {
  const { top, period } = overview
  const values = name === 'severity' ? top.severity.toSorted(byRank) : top[name]
  const rows = values.map(({ value, compared, ...figure }) => ({
    key: value,
    value,
    label: <ValueLabel name={name} value={value} />,
    count: shownCount(figure),
    compared: shownComparison(compared),
  }))
  return (
    <SectionCard
      title={TITLES[name]}
      note={
        <span className="text-faint text-xs">{`${rowNoun(period)}s in ${storedShort(overview)}${soFar(period)}`}</span>
      }
      tools={tools}
    >
      {rows.length === 0 ? (
        <p className="px-4 py-3 text-muted text-sm">
          {period.count === null
            ? period.isRunning
              ? 'Nothing has been read yet.'
              : `Nothing of ${periodPhrase(period.name)} is stored.`
            : `No threat of ${storedPhrase(overview)} names one.`}
        </p>
      ) : (
        <BarList
          label={`${TITLES[name]} by ${rowNoun(period)}s, ${storedPhrase(overview)}`}
          rows={rows}
          renderLink={({ value, label }) => (
            <CountedLink
              filter={{ [name]: [value], ...filterOfPeriod(period) }}
              {...rowsOf(period)}
              className={BAR_LINK}
            >
              {label}
            </CountedLink>
          )}
        />
      )}
    </SectionCard>
  )
}

/** The worst first; what is no known severity at the end. */
function byRank(a: RankedValue, b: RankedValue): number {
  const known: readonly string[] = SEVERITIES
  const rank = ({ value }: RankedValue) => {
    const place = known.indexOf(value.trim().toLowerCase())
    return place === -1 ? SEVERITIES.length : place
  }
  return rank(a) - rank(b)
}

function ValueLabel({ name, value }: { name: Name; value: string }) {
  if (name === 'severity') return <SeverityMark severity={value} />
  if (name !== 'country') return <Untrusted text={value} maxLength={NAME_MAX_LENGTH} clip="silent" />
  return (
    <>
      <Flag code={value} /> {countryName(value)}
    </>
  )
}
