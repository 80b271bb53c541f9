import { casesOf } from '#app/features/concerns/cases-of.ts'
import { useConcernColumns } from '#app/features/concerns/concern-columns.ts'
import { count } from '#app/format/count.ts'
import { rowNoun, shownComparison, shownCount } from '#app/format/counted-rows.ts'
import { countryName } from '#app/format/country-name.ts'
import { inertLine, inertLines } from '#app/ui/export/inert-line.ts'
import { ListExportDialog, PendingExport } from '#app/ui/export/list-export-dialog.tsx'
import { joinReasons, missingDays } from '#app/ui/export/partial-reason.ts'
import type { ListColumn } from '#app/ui/export/write-list.ts'
import type { Actor, ActorList } from '#contract/bff/actor.ts'
import { type Period, periodShort, previousPhrase } from '#contract/bff/period.ts'
import type { ActorSearch } from './actor-search.ts'

const columnsOf = ({ name, isRunning }: Period, Nouns: string): readonly ListColumn<Actor>[] => [
  { id: 'name', label: 'Actor', read: (actor) => inertLine(actor.name) },
  {
    id: 'mentions',
    label: `${Nouns} in ${periodShort(name)}${isRunning ? ' (today so far)' : ''}`,
    read: ({ mentions, cases }) => shownCount({ count: mentions, cases }),
  },
  {
    id: 'comparedMentions',
    label: `${Nouns} in the compared part of ${isRunning ? `the ${periodShort(name)}` : periodShort(name)}`,
    read: ({ compared }) => shownComparison(compared)?.count ?? null,
  },
  {
    id: 'previousMentions',
    label: `${Nouns} in the same part of ${previousPhrase(name)}`,
    read: ({ compared }) => shownComparison(compared)?.previous ?? null,
  },
  {
    id: 'week',
    label: `${Nouns} in the last 7 days (today so far)`,
    read: ({ week }) => week && shownCount(week),
  },
  {
    id: 'weekCompared',
    label: `${Nouns} in the compared part of the 7 days`,
    read: ({ week }) => shownComparison(week?.compared ?? null)?.count ?? null,
  },
  {
    id: 'weekBefore',
    label: `${Nouns} in the same part of the 7 days before`,
    read: ({ week }) => shownComparison(week?.compared ?? null)?.previous ?? null,
  },
  { id: 'latest', label: 'Latest observation (UTC)', read: ({ latestObservedAt }) => latestObservedAt },
  { id: 'first', label: 'First seen (UTC)', read: ({ firstObservedAt }) => firstObservedAt },
  { id: 'countries', label: 'Top countries', read: ({ countries }) => countries.map(countryName).join('; ') },
  { id: 'industries', label: 'Top industries', read: ({ industries }) => inertLines(industries) },
  { id: 'categories', label: 'Categories', read: ({ categories }) => inertLines(categories) },
  { id: 'listed', label: 'Claims reported by vendor', read: ({ listedMentions }) => listedMentions },
]

type ActorsExportProps = { list: ActorList; search: ActorSearch; onClose(): void }

/** Saves the list as it is searched, narrowed and sorted. */
export function ActorsExport({ list, search, onClose }: ActorsExportProps) {
  const { actors, total, days, period, listing, freshness } = list
  const noun = rowNoun(actors[0] ?? {})
  const concerns = useConcernColumns<Actor>({ name: 'actor', period, noun }, (actor) => ({
    value: actor.name,
    concerns: (casesOf(actor) ?? actor).concerns,
  }))
  if (!concerns) {
    return <PendingExport noun="actors" onClose={onClose} />
  }
  return (
    <ListExportDialog
      one="actor"
      list={{
        noun: 'actors',
        columns: [...columnsOf(period, noun === 'case' ? 'Cases' : 'Claims'), ...concerns.columns],
        rows: actors,
        about: {
          coverage: freshness.coverage,
          checked: freshness.checked,
          question: search,
          counted: `${noun}s`,
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
