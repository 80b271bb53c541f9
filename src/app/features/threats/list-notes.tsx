import { Link } from '@tanstack/react-router'
import { count, countOf } from '#app/format/count.ts'
import type { ThreatSearch } from './threat-search.ts'

type ListNotesProps = {
  /** How many more may match: their lists do not say. */
  undecided: number
  undated: number
  search: ThreatSearch
}

/** What few lists have to say of themselves. */
export function ListNotes({ undecided, undated, search }: ListNotesProps) {
  return (
    <>
      {undecided > 0 && <span>{count(undecided)} more may match: the source’s list does not say</span>}
      {undated > 0 && search.within !== 'undated' && <UndatedNote undated={undated} search={search} />}
    </>
  )
}

/** Those without a date stand after all others where dates are the order, however new they are: here is how to find them. */
function UndatedNote({ undated, search }: Pick<ListNotesProps, 'undated' | 'search'>) {
  return (
    <span>
      <Link
        to="/threats"
        search={{ ...search, from: undefined, to: undefined, selected: undefined, within: 'undated' }}
        className="rounded-sm text-accent hover:underline"
      >
        {countOf(undated, 'threat')} without a date
      </Link>
      {!search.sort && !search.group && ', at the end'}
    </span>
  )
}
