import { Link } from '@tanstack/react-router'
import { count } from '#app/format/count.ts'
import { Sparkline } from '#app/ui/chart/sparkline.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { FieldList } from '#app/ui/field-list.tsx'
import { Figure } from '#app/ui/figure.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { CountryStatistics } from '#contract/bff/country.ts'
import { fillDays } from './fill-days.ts'

const SHOWN_MAX_COUNT = 10
const DAY_COLUMNS: readonly Column<ReturnType<typeof fillDays>[number]>[] = [
  {
    key: 'day',
    head: 'Day',
    isName: true,
    cellClassName: 'font-normal text-muted',
    cell: ({ date }) => date,
  },
  {
    key: 'count',
    head: 'Claims',
    align: 'right',
    cell: (day) => (day.count === null ? 'Not reported' : count(day.count)),
  },
]

/** The vendor's figures, as it reports them: what they cover is its own business. */
export function ReportedStatistics({ statistics }: { statistics: CountryStatistics }) {
  const { threats, actors, victims, summary, topActors, topIndustries, trend, otherFields } = statistics
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 py-3">
      <dl className="grid grid-cols-3 gap-x-6 sm:w-fit sm:gap-x-12">
        <Figure name="Claims at the vendor" value={count(threats)} />
        <Figure name="Actors at the vendor" value={count(actors)} />
        <Figure name="Victims at the vendor" value={count(victims)} />
      </dl>
      {summary !== null && (
        <div className="max-w-[80ch] text-sm">
          <h3 className="font-medium text-muted text-xs">Summary</h3>
          <p className="mt-1">
            <Untrusted text={summary} multiline isProse />
          </p>
        </div>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Names title="Top actors" names={topActors} isActor />
        <Names title="Top industries" names={topIndustries} />
      </div>
      {trend.length > 0 && <ReportedTrend trend={trend} />}
      {otherFields.length > 0 && <FieldList fields={otherFields} className="border-line border-t" />}
    </div>
  )
}

type NamesProps = { title: string; names: CountryStatistics['topActors']; isActor?: boolean }

function Names({ title, names, isActor = false }: NamesProps) {
  if (names.length === 0) return null
  return (
    <div className="min-w-0 text-sm">
      <h3 className="font-medium text-muted text-xs">{title}</h3>
      <ol className="mt-1 grid gap-0.5">
        {names.slice(0, SHOWN_MAX_COUNT).map(({ name, count: times }) => (
          <li key={name} className="flex min-h-6 items-baseline gap-3">
            <span className="min-w-0 truncate">
              {isActor ? (
                <Link
                  to="/actors/$name"
                  params={{ name: name.toWellFormed() }}
                  className="touch underline decoration-edge underline-offset-2 hover:decoration-current"
                >
                  <Untrusted text={name} clip="silent" maxLength={80} />
                </Link>
              ) : (
                <Untrusted text={name} clip="silent" maxLength={80} />
              )}
            </span>
            {times !== null && <span className="ml-auto text-muted tabular-nums">{count(times)}</span>}
          </li>
        ))}
      </ol>
    </div>
  )
}

function ReportedTrend({ trend }: { trend: CountryStatistics['trend'] }) {
  const days = fillDays(trend)
  const [first, last] = [days.at(0)?.date, days.at(-1)?.date]
  return (
    <div className="text-sm">
      <h3 className="font-medium text-muted text-xs">
        Its trend, {first} to {last}
      </h3>
      <Sparkline
        counts={days.map((day) => day.count)}
        label={`The vendor’s own trend from ${first} to ${last}`}
        className="mt-1 h-10 w-full max-w-md"
      />
      <details className="mt-1">
        <summary className="w-fit rounded-sm text-muted text-xs hover:text-ink">
          The same numbers as a table
        </summary>
        <DataTable
          caption="Threats by day, as the vendor reports them"
          columns={DAY_COLUMNS}
          rows={days}
          rowKey={({ date }) => date}
          className="mt-1 text-xs tabular-nums [&_td]:pl-6 [&_th+th]:pl-6"
        />
      </details>
    </div>
  )
}
