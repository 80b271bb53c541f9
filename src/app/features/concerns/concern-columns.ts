import { useQuery } from '@tanstack/react-query'
import { count } from '#app/format/count.ts'
import type { ListColumn } from '#app/ui/export/write-list.ts'
import { useTimeZone } from '#app/ui/preferences.ts'
import { type Period, periodShort } from '#contract/bff/period.ts'
import type { FacetAnswer } from '#contract/bff/threat-list.ts'
import { type CountedSubjects, concernCountsOptions } from './concern-options.ts'

/** A row of an export: its name as threats have it, an alpha-2 code of a country, and the figure of the pages. */
type Counted = { value: string; concerns: number | null }

export type ConcernColumns<Row> = {
  columns: readonly ListColumn<Row>[]
  /** Why figures are missing, for a person; null when none is. */
  partialReason: string | null
}

/**
 * Columns with how many threats of a row concern the reader, by My interests and by the lists that the reader sees. Null
 * while they are counted.
 */
export function useConcernColumns<Row>(
  { name, period, noun }: { name: CountedSubjects['name']; period: Period; noun: 'case' | 'claim' },
  read: (row: Row) => Counted,
): ConcernColumns<Row> | null {
  const timeZone = useTimeZone()
  const { data, isPending } = useQuery(concernCountsOptions({ name, period, timeZone }))
  if (isPending) return null
  const counts = new Map(data?.values.map((one) => [one.value, one.count]))
  const unlisted = data?.more === 0 ? 0 : null
  return {
    columns: [
      {
        id: 'concerns',
        label: labelOf(period, 'My interests', noun),
        read: (row) => read(row).concerns,
      },
      {
        id: 'listed',
        label: labelOf(period, 'Lists', 'claim'),
        read: (row) => counts.get(read(row).value) ?? unlisted,
      },
    ],
    partialReason: missingCounts(name, data),
  }
}

function labelOf({ name, isRunning }: Period, source: string, noun: 'case' | 'claim'): string {
  return `${noun === 'case' ? 'Cases' : 'Claims'} that concern you in ${periodShort(name)}${isRunning ? ' (today so far)' : ''}: ${source}`
}

function missingCounts(name: 'actor' | 'country', data: FacetAnswer | undefined): string | null {
  if (!data) return 'Matches of lists could not be counted.'
  const names = name === 'actor' ? 'actors' : 'countries'
  return data.more > 0
    ? `Matches of lists are counted for the ${count(data.values.length)} ${names} with the most.`
    : null
}
