import { useQuery } from '@tanstack/react-query'
import { knownAlertListOptions } from '#app/features/alerts/alert-options.ts'
import { lanternProfileListOptions } from '#app/features/alerts/lantern-profile-options.ts'
import { listsOptions } from '#app/features/lists/list-options.ts'
import { todayIn } from '#app/features/periods/period-options.ts'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { ownersOptions } from '#app/features/triage/owner-options.ts'
import { countryName } from '#app/format/country-name.ts'
import { localDay } from '#app/format/local-day.ts'
import { useTimeZone } from '#app/ui/preferences.ts'
import { FACET_NAMES, type FacetName, type ThreatFilter } from '#contract/bff/threat-list.ts'
import { KNOWN_CATEGORIES } from '#contract/category.ts'
import { COUNTRY_CODES, findCountryCode } from '#contract/country.ts'
import { foldValue } from '#matcher/normalise-text.ts'
import { type Completion, completeAt } from '#matcher/query/complete-query.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { writeValue } from '#matcher/query/print-query.ts'
import { calendarDays, readDays } from '#matcher/query/query-days.ts'
import { FIELD_NAMES, type FieldName, type Span } from '#matcher/query/query-tree.ts'
import { scopeOf } from '../address/threat-search.ts'
import { offerValues, useCounted } from '../filters/values-list.tsx'
import { FIELD_NOTES } from './query-language.ts'

/** A completion at the caret. `text` replaces what is typed there. */
export type Suggestion = {
  text: string
  /** Third-party text, where it is a value. */
  label: string
  note?: string | undefined
  count?: number | undefined
}

export type Suggestions = {
  place: Span
  choices: readonly Suggestion[]
  isExact: boolean
  isSettled: boolean
}

const MOST = 30
const ANY_LIST: Suggestion = { text: '*', label: '*', note: 'any list' }
const AT_LEAST: readonly Suggestion[] = [
  { text: '>=high', label: '>=high', note: 'high and critical' },
  { text: '>=medium', label: '>=medium', note: 'all but low' },
]

/** Fields, and then their values, the most frequent among what the rest of the query finds first. */
export function useSuggestions(text: string, caret: number, filter: ThreatFilter): Suggestions | null {
  const { data: source } = useQuery(sourceOptions())
  const timeZone = useTimeZone()
  const completion = completeAt(text, caret)
  const facet = completion?.kind === 'value' ? facetOf(completion.name) : null
  const rest = facet && { ...filter, q: withoutClause(text, completion?.from ?? 0) }
  const typed = completion?.text.trim() ?? ''
  const { counted, isSettled, ...extent } = useCounted(
    facet ?? 'country',
    rest && scopeOf(rest, timeZone),
    typed,
  )
  const named = useNames(completion?.kind === 'value' ? completion.name : null, timeZone)
  if (completion === null) return null

  const place = { from: completion.from, to: completion.to }
  if (facet === null) {
    const fixed = completion.kind === 'name' ? offerFields(completion) : offerFixed(completion, timeZone)
    const isUntouched = completion.kind === 'value' && typed === '' && completion.others.length === 0
    const any = isUntouched && completion.name === 'list' ? [ANY_LIST] : []
    const choices = [...any, ...fixed, ...offerNamed(completion, named.names)].slice(0, MOST)
    return { place, choices, isExact: true, isSettled: named.isSettled }
  }
  const offers: Partial<Record<FacetName, readonly string[]>> = {
    category: [...KNOWN_CATEGORIES, ...(source?.categories ?? [])],
    country: COUNTRY_CODES,
    severity: completion.offers,
  }
  const known = offers[facet] ?? []
  const labelOf = (value: string) => (facet === 'country' ? countryName(value) : value)
  const country = facet === 'country' ? findCountryCode(typed) : null
  const request = {
    known,
    counted,
    isAll: extent.isAll,
    chosen: [],
    first: [],
    text: typed,
    named: country,
    labelOf,
  }
  const isThere = (value: string, label: string) =>
    [value, label].some((each) => othersOf(completion).includes(foldValue(each)))
  const isNamed = (value: string) => value === country || foldValue(value) === foldValue(typed)
  const values = offerValues(request)
    .filter(({ value, label }) => !isThere(value, label))
    .toSorted((a, b) => Number(isNamed(b.value)) - Number(isNamed(a.value)))
    .slice(0, MOST)
    .map(({ value, label, count }) => ({
      text: writeValue(value, facet),
      label,
      count,
      note: facet === 'country' ? value : undefined,
    }))
  const isCompared = /[<>]=?$/.test(text.slice(0, completion.from))
  const compared = facet === 'severity' && typed === '' && !isCompared ? AT_LEAST : []
  return { place, choices: [...values, ...compared], isExact: extent.isExact, isSettled }
}

function facetOf(name: FieldName): FacetName | null {
  return FACET_NAMES.find((facet) => facet === name) ?? null
}

/** The field's values beside the one that is being typed. */
function othersOf(completion: Completion): string[] {
  return completion.kind === 'value' ? completion.others.map(foldValue) : []
}

/** The names that the reader can give as values of a field: of profiles, lists and owners. No other field has such. */
function useNames(
  field: FieldName | null,
  timeZone: string,
): { names: readonly string[]; isSettled: boolean } {
  const { data: session } = useQuery(sessionOptions())
  const { data: source } = useQuery(sourceOptions())
  const isOfProfiles = field === 'profile'
  const lantern = useQuery({ ...lanternProfileListOptions(timeZone), enabled: isOfProfiles })
  // The list of a vendor can cost a call.
  const isListed = isOfProfiles && source?.isOwnService === true
  const service = useQuery({ ...knownAlertListOptions(timeZone), enabled: isListed })
  const lists = useQuery({ ...listsOptions(), enabled: field === 'list' })
  const mayAssign = session?.user.role === 'analyst' || session?.user.role === 'admin'
  const owners = useQuery({ ...ownersOptions(), enabled: field === 'owner' && mayAssign })
  const isSettled = ![lantern, service, lists, owners].some(({ isLoading }) => isLoading)
  const nameOf = ({ name }: { name: string }) => name
  if (field === 'list') return { names: lists.data?.lists.map(nameOf) ?? [], isSettled }
  if (field === 'owner') return { names: owners.data?.owners.map(nameOf) ?? [], isSettled }
  if (!isOfProfiles) return { names: [], isSettled }
  const own = lantern.data?.profiles.filter(({ isShared, owner }) => isShared || owner?.isMe) ?? []
  return { names: [...own, ...(service.data?.profiles ?? [])].map(nameOf), isSettled }
}

/** Several profiles, lists or users can have one name. */
function offerNamed(completion: Completion, names: readonly string[]): Suggestion[] {
  const others = othersOf(completion)
  const typed = foldValue(completion.text)
  const byKey = new Map(names.map((name) => [foldValue(name), name]))
  return [...byKey]
    .filter(([key]) => key.includes(typed) && !others.includes(key))
    .slice(0, MOST)
    .map(([, name]) => ({ text: writeValue(name), label: name }))
}

function offerFields({ text, offers }: Completion): Suggestion[] {
  return offers.flatMap((offer) => {
    const name = FIELD_NAMES.find((each) => `${each}:` === offer)
    const note = name && FIELD_NOTES.get(name)
    return note && offer !== text ? [{ text: offer, label: offer, note }] : []
  })
}

/** Days with their date, and the few words of other fields. */
function offerFixed({ offers }: Completion, timeZone: string): Suggestion[] {
  const today = todayIn(timeZone, Date.now())
  return offers.map((offer) => {
    const days = readDays(offer)
    const note = days ? localDay(calendarDays(days, today).first) : undefined
    return { text: offer, label: offer, note }
  })
}

/** The rest of the query, as far as it must hold beside the clause at a place; undefined where no query can express that. */
function withoutClause(text: string, at: number): string | undefined {
  const before = text.slice(0, at).replace(/[^\s()]*$/, '')
  const rest = `${before} ${text.slice(at).replace(/^[^\s()]*/, '')}`.trim()
  const depth = before.split('(').length - before.split(')').length
  const { tree, faults } = parseQuery(rest)
  const isJoined = depth !== 0 || tree?.kind === 'or' || / (?:-|not )$/i.test(before)
  return isJoined || tree === null || faults.length > 0 ? undefined : rest
}
