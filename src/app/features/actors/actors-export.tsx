import { useConcernColumns } from '#app/features/concerns/concern-columns.ts'
import { count } from '#app/format/count.ts'
import { countryName } from '#app/format/country-name.ts'
import { inertLine, inertLines } from '#app/ui/export/inert-line.ts'
import { ListExportDialog } from '#app/ui/export/list-export-dialog.tsx'
import { joinReasons, missingDays } from '#app/ui/export/partial-reason.ts'
import type { ListColumn } from '#app/ui/export/write-list.ts'
import type { Actor, ActorList } from '#contract/bff/actor.ts'
import { type Period, periodShort, previousPhrase } from '#contract/bff/period.ts'
import type { ActorSearch } from './actor-search.ts'

const columnsOf = ({ name, isRunning }: Period): readonly ListColumn<Actor>[] => [
  { id: 'name', label: 'Actor', read: (actor) => inertLine(actor.name) },
  {
    id: 'mentions',
    label: `Mentions in ${periodShort(name)}${isRunning ? ' (today so far)' : ''}`,
    read: ({ mentions }) => mentions,
  },
  {
    id: 'comparedMentions',
    label: `In the compared part of ${isRunning ? `the ${periodShort(name)}` : periodShort(name)}`,
    read: ({ compared }) => compared?.count ?? null,
  },
  {
    id: 'previousMentions',
    label: `In the same part of ${previousPhrase(name)}`,
    read: ({ compared }) => compared?.previous ?? null,
  },
  { id: 'week', label: 'In the last 7 days (today so far)', read: ({ week }) => week?.count ?? null },
  {
    id: 'weekCompared',
    label: 'In the compared part of the 7 days',
    read: ({ week }) => week?.compared?.count ?? null,
  },
  {
    id: 'weekBefore',
    label: 'In the same part of the 7 days before',
    read: ({ week }) => week?.compared?.previous ?? null,
  },
  { id: 'latest', label: 'Latest observation (UTC)', read: ({ latestObservedAt }) => latestObservedAt },
  { id: 'first', label: 'First seen (UTC)', read: ({ firstObservedAt }) => firstObservedAt },
  { id: 'countries', label: 'Top countries', read: ({ countries }) => countries.map(countryName).join('; ') },
  { id: 'industries', label: 'Top industries', read: ({ industries }) => inertLines(industries) },
  { id: 'categories', label: 'Categories', read: ({ categories }) => inertLines(categories) },
  { id: 'listed', label: 'Reported by vendor', read: ({ listedMentions }) => listedMentions },
]

type ActorsExportProps = { list: ActorList; search: ActorSearch; onClose(): void }

/** Saves the list as it is searched, narrowed and sorted. */
export function ActorsExport({ list, search, onClose }: ActorsExportProps) {
  const { actors, total, days, period, listing, freshness } = list
  const concerns = useConcernColumns<Actor>({ name: 'actor', period }, ({ name, concerns }) => ({
    value: name,
    concerns,
  }))
  if (!concerns) return null
  return (
    <ListExportDialog
      one="actor"
      list={{
        noun: 'actors',
        columns: [...columnsOf(period), ...concerns.columns],
        rows: actors,
        about: {
          coverage: freshness.coverage,
          checked: freshness.checked,
          question: search,
          total,
          period,
          days,
          listing,
        },
        partialReason: joinReasons([partialReason(list), concerns.partialReason]),
      }}
      onClose={onClose}
    />
  )
}

function partialReason({ actors, total, days, period }: ActorList): string | null {
  if (total > actors.length) return `Only the first ${count(actors.length)} of ${count(total)} are included.`
  return missingDays(days, period.unit)
}
