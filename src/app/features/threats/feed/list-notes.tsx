import { Link } from '@tanstack/react-router'
import { count, countOf } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'
import type { PartialField, ThreatList } from '#contract/bff/threat-list.ts'
import type { ThreatSearch } from '../address/threat-search.ts'

type ListNotesProps = { list: ThreatList; search: ThreatSearch }

const NOUNS: Readonly<Record<PartialField['field'], string>> = {
  actor: 'an actor',
  victim: 'a victim',
  country: 'a country',
  category: 'a category',
  severity: 'a severity',
  industry: 'an industry',
  domain: 'a domain',
  source: 'a source address',
  analysis: 'an analysis',
  evidence: 'evidence',
}
const names = new Intl.ListFormat('en-GB', { type: 'conjunction' })

/** Notes that only some lists have. */
export function ListNotes({ list: { undated, cases, partialFields }, search }: ListNotesProps) {
  const given = partialFields.map(({ field, threats }) => `${NOUNS[field]} for ${count(threats)}`)
  return (
    <>
      {partialFields[0] && (
        <span>
          This vendor names {names.format(given)} of {countOf(partialFields[0].of, 'threat')}
        </span>
      )}
      {undated > 0 && search.within !== 'undated' && (
        <UndatedNote undated={countOf(undated, cases === undefined ? 'claim' : 'case')} search={search} />
      )}
    </>
  )
}

/** Those without a date stand after all others where dates are the order, however new they are: here is how to find them. */
function UndatedNote({ undated, search }: { undated: string; search: ThreatSearch }) {
  return (
    <span>
      <Link
        to="/threats"
        search={{ ...search, from: undefined, to: undefined, selected: undefined, within: 'undated' }}
        className="rounded-sm text-accent hover:underline"
      >
        {undated} without a date
      </Link>
      {!search.sort && !search.group && ', at the end'}
    </span>
  )
}

type UnmatchedNoteProps = {
  unmatched: number
  /** False when rows far from those in sight may be more of them. */
  isWhole: boolean
  onReload(): void
}

/** Rows stay where they are while a reader works on them; this drops those that the filter would not find any more. */
export function UnmatchedNote({ unmatched, isWhole, onReload }: UnmatchedNoteProps) {
  return (
    <Button size="small" icon="refresh" title="Reload the list without them" onClick={onReload}>
      {count(unmatched)}
      {!isWhole && '+'} no longer {unmatched === 1 && isWhole ? 'matches' : 'match'}
    </Button>
  )
}
