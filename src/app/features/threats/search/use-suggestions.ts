import { useQuery } from '@tanstack/react-query'
import { knownAlertListOptions } from '#app/features/alerts/alert-options.ts'
import { lanternProfileListOptions } from '#app/features/alerts/lantern-profile-options.ts'
import { listsOptions } from '#app/features/lists/list-options.ts'
import { todayIn } from '#app/features/periods/period-options.ts'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { countryName } from '#app/format/country-name.ts'
import { localDay } from '#app/format/local-day.ts'
import { useTimeZone } from '#app/ui/preferences.ts'
import { FACET_NAMES, type FacetName, type ThreatFilter } from '#contract/bff/threat-list.ts'
import { KNOWN_CATEGORIES } from '#contract/category.ts'
import { COUNTRY_CODES, findCountryCode } from '#contract/country.ts'
import { type Completion, completeAt } from '#matcher/query/complete-query.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { writeValue } from '#matcher/query/print-query.ts'
import { calendarDays, readDays } from '#matcher/query/query-days.ts'
import { FIELD_NAMES, type FieldName, type Span } from '#matcher/query/query-tree.ts'
import { scopeOf } from '../address/threat-search.ts'
import { foldValue, offerValues, useCounted } from '../filters/offer-values.ts'
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
  const isOfProfiles = completion?.kind === 'value' && completion.name === 'profile'
  const profiles = useProfileNames(isOfProfiles, timeZone)
  const isOfLists = completion?.kind === 'value' && completion.name === 'list'
  const lists = useQuery({ ...listsOptions(), enabled: isOfLists })
  if (completion === null) return null

  const place = { from: completion.from, to: completion.to }
  if (isOfProfiles) {
    const { names, isSettled } = profiles
    return { place, choices: offerNamed(completion, names), isExact: true, isSettled }
  }
  if (isOfLists) {
    const names = lists.data?.lists.map(({ name }) => name) ?? []
    const any = completion.text === '' && completion.others.length === 0 ? [ANY_LIST] : []
    const choices = [...any, ...offerNamed(completion, names)]
    return { place, choices, isExact: true, isSettled: !lists.isLoading }
  }
  if (facet === null) {
    const choices = completion.kind === 'name' ? offerNames(completion) : offerFixed(completion, timeZone)
    return { place, choices, isExact: true, isSettled: true }
  }
  const offers: Partial<Record<FacetName, readonly string[]>> = {
    category: [...KNOWN_CATEGORIES, ...(source?.categories ?? [])],
    country: COUNTRY_CODES,
    severity: completion.offers,
  }
  const known = offers[facet] ?? []
  const labelOf = (value: string) => (facet === 'country' ? countryName(value) : value)
  const named = facet === 'country' ? findCountryCode(typed) : null
  const request = { known, counted, isAll: extent.isAll, chosen: [], first: [], text: typed, named, labelOf }
  const isThere = (value: string, label: string) =>
    [value, label].some((each) => othersOf(completion).includes(foldValue(each)))
  const isNamed = (value: string) => value === named || foldValue(value) === foldValue(typed)
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

/** The names of profiles that the reader can name: their own, shared ones and those of our own service. */
function useProfileNames(isNeeded: boolean, timeZone: string) {
  const { data: source } = useQuery(sourceOptions())
  const lantern = useQuery({ ...lanternProfileListOptions(timeZone), enabled: isNeeded })
  // The list of a vendor can cost a call.
  const isListed = isNeeded && source?.isOwnService === true
  const service = useQuery({ ...knownAlertListOptions(timeZone), enabled: isListed })
  const own = lantern.data?.profiles.filter(({ isShared, owner }) => isShared || owner?.isMe) ?? []
  return {
    names: [...own, ...(service.data?.profiles ?? [])].map(({ name }) => name),
    isSettled: !lantern.isLoading && !service.isLoading,
  }
}

/** Several profiles, and several lists, can have one name. */
function offerNamed(completion: Completion, names: readonly string[]): Suggestion[] {
  const others = othersOf(completion)
  const typed = foldValue(completion.text)
  const byKey = new Map(names.map((name) => [foldValue(name), name]))
  return [...byKey]
    .filter(([key]) => key.includes(typed) && !others.includes(key))
    .slice(0, MOST)
    .map(([, name]) => ({ text: writeValue(name), label: name }))
}

function offerNames({ text, offers }: Completion): Suggestion[] {
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
