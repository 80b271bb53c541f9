import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getJson } from '#app/api/get-json.ts'
import { useRows } from '#app/features/periods/use-rows.ts'
import { threatHeadsKey } from '#app/features/threats/threat-options.ts'
import { countOf } from '#app/format/count.ts'
import { rowNoun, rowsOf, shownCount } from '#app/format/counted-rows.ts'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { ThreatTitle } from '#app/ui/threat-title.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { RowKind } from '#contract/bff/arrangement.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { type ThreatFilter, threatListSchema } from '#contract/bff/threat-list.ts'

const SHOWN_MAX_COUNT = 8
const TITLE_MAX_LENGTH = 200
const ROW =
  'grid min-h-9 max-sm:min-h-11 items-center gap-x-3 px-4 max-sm:grid-cols-[5.5rem_minmax(0,1fr)_auto] sm:grid-cols-[6rem_minmax(0,1fr)_8rem_5rem]'

/** The newest cases or claims of a filter, and the way to all of them. */
export function LatestThreats({ filter }: { filter: ThreatFilter }) {
  const query = useQuery(latestThreatsOptions({ ...filter, rows: useRows() }))
  const { data } = query
  const figure = data && { count: data.total, cases: data.cases }
  return (
    <SectionCard
      title="Latest threats"
      tools={
        figure && (
          <Link
            to="/threats"
            search={{ ...filter, ...rowsOf(figure) }}
            className="touch rounded-sm font-medium text-accent text-xs hover:underline"
          >
            {figure.count === null
              ? 'All threats'
              : `All ${countOf(shownCount(figure), `stored ${rowNoun(figure)}`)}`}
          </Link>
        )
      }
    >
      <LoadedPart query={query} name="the latest threats" heights={['h-64']}>
        {({ threats }) =>
          threats.length === 0 ? (
            <p className="px-4 py-3 text-muted text-sm">None is stored.</p>
          ) : (
            <ul className="divide-y divide-line">
              {threats.slice(0, SHOWN_MAX_COUNT).map((threat) => (
                <LatestRow key={threat.id} threat={threat} />
              ))}
            </ul>
          )
        }
      </LoadedPart>
    </SectionCard>
  )
}

function LatestRow({ threat }: { threat: Threat }) {
  const { id, set, severity, organizations, publishedAt } = threat
  const [victim] = organizations
  return (
    <li className={`${ROW} relative text-sm hover:bg-hover`}>
      <SeverityMark severity={severity} />
      <Link
        to="/threats/$id"
        params={{ id }}
        search={{ set }}
        className="min-w-0 truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
      >
        <ThreatTitle threat={threat} maxLength={TITLE_MAX_LENGTH} />
      </Link>
      <span className="min-w-0 truncate text-muted max-sm:hidden">
        {victim !== undefined && <Untrusted text={victim} clip="silent" maxLength={80} />}
      </span>
      <span className="whitespace-nowrap text-right text-muted text-xs">
        <Time at={publishedAt} show="age" />
      </span>
    </li>
  )
}

function latestThreatsOptions(filter: ThreatFilter & { rows: RowKind }) {
  return queryOptions({
    queryKey: [...threatHeadsKey, 'latest', filter],
    queryFn: ({ signal }) => getJson('threats', threatListSchema, { query: filter, signal }),
  })
}
