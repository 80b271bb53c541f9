import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useState,
} from 'react'
import { getJson } from '#app/api/get-json.ts'
import type { ThreatListScope } from '#app/features/threats/address/threat-search.ts'
import { count, countOf } from '#app/format/count.ts'
import { FloatingList, ListOption } from '#app/ui/floating-list.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useDebouncedValue } from '#app/ui/use-debounced-value.ts'
import { nextPaint } from '#app/ui/when-idle.ts'
import { type FacetName, facetAnswerSchema, VALUES_MAX_COUNT } from '#contract/bff/threat-list.ts'
import { findCountryCode } from '#contract/country.ts'
import { foldValue } from '#matcher/normalise-text.ts'
import { type ListKey, listKeyOf, type OpenList } from './values-field.tsx'

type ValuesListProps = {
  list: OpenList
  name: FacetName
  chosen: readonly string[]
  /** Values that are offered whatever occurs. */
  known: readonly string[]
  /** True if any text can be a value. */
  isOpenSet: boolean
  /** The filters beside this name. */
  scope: ThreatListScope
  labelOf(value: string): string
  /** `isFirst`: no value was chosen yet since the list was opened. */
  onChoose(change: (chosen: readonly string[]) => string[], isFirst: boolean): void
}

/** The values of one filter, to be ticked. The focus stays in the field above, which announces the active one. */
export function ValuesList(props: ValuesListProps) {
  const { list, name, chosen: given, isOpenSet, scope, onChoose } = props
  const [first] = useState(given)
  // A ticked value shows at once, before the list of threats that it requests is drawn.
  const [pending, setPending] = useState<readonly string[] | null>(null)
  const [at, setAt] = useState({ text: list.text, index: -1 })
  const chosen = pending ?? given
  const { counted, isSettled, ...extent } = useCounted(name, scope, list.text)
  const named = name === 'country' ? findCountryCode(list.text) : null
  const offers = offerValues({ ...props, ...extent, counted, chosen, first, text: list.text, named })
  const typed = isOpenSet && isSettled ? unheldValue(list.text, offers) : null
  const size = offers.length + (typed === null ? 0 : 1)
  // A value that no threat has is not chosen by the Enter that ends the typing. It takes a second Enter.
  const start = offers.length > 0 ? 0 : -1
  const index = at.text === list.text && at.index >= 0 ? Math.min(at.index, size - 1) : start
  const isFull = chosen.length >= VALUES_MAX_COUNT

  const choose = async (value: string) => {
    const change = (before: readonly string[]) => toggleValue(before, value)
    if (isFull && change(chosen).length >= VALUES_MAX_COUNT) return
    setPending(change(chosen))
    if (typed !== null) list.onNarrow('')
    const isFirst = !list.hasChanged
    list.onChanged()
    await nextPaint()
    onChoose(change, isFirst)
    setPending(null)
  }
  const moveTo = (next: number) => setAt({ text: list.text, index: (next + size) % Math.max(1, size) })
  const enter = () => {
    const value = index < 0 ? null : (offers[index]?.value ?? typed)
    if (value !== null) choose(value)
    else if (typed !== null) moveTo(0)
  }
  const act = (key: ListKey) => {
    if (key === 'ArrowDown') moveTo(index + 1)
    else if (key === 'ArrowUp') moveTo(Math.max(index, 0) - 1)
    else enter()
  }
  const steer = (event: KeyboardEvent) => {
    const key = listKeyOf(event)
    if (!key) return false
    if (key === 'ArrowUp' && event.altKey) list.onClose()
    // With the counts comes another order: what is pressed before is meant for that.
    else if (isSettled && list.due.length === 0) act(key)
    else list.onDue(key)
    return true
  }
  useImperativeHandle(list.steer, () => steer)

  const optionId = (option: number) => `${list.id}-${option}`
  const activeId = index < 0 ? undefined : optionId(index)
  const tellActive = useEffectEvent(list.onActive)
  useEffect(() => {
    tellActive(activeId)
    return () => tellActive(undefined)
  }, [activeId])
  const actLate = useEffectEvent((key: ListKey) => {
    list.onDueDone()
    act(key)
  })
  // A choice is made when it stands in the address: the next starts from there.
  const isReady = isSettled && pending === null
  useEffect(() => {
    if (isReady && list.due[0]) actLate(list.due[0])
  }, [isReady, list.due])

  return (
    <FloatingList className="w-72 min-w-[anchor-size(width)]">
      <div
        id={list.id}
        role="listbox"
        aria-label="Choices"
        aria-multiselectable="true"
        className="min-h-0 overflow-y-auto p-1.5"
      >
        {offers.map((offer, option) => (
          <ValueOption
            key={offer.value}
            id={optionId(option)}
            offer={offer}
            isWhole={extent.isExact}
            isActive={option === index}
            isOff={isFull && !offer.isChosen}
            onPress={() => choose(offer.value)}
          />
        ))}
        {typed !== null && (
          <UnheldOption
            id={optionId(offers.length)}
            value={typed}
            isWhole={extent.isExact}
            isActive={index === offers.length}
            onPress={() => choose(typed)}
          />
        )}
      </div>
      <p role="status" className="border-line border-t px-3 py-1.5 text-faint text-xs">
        {isSettled ? describe(offers.length, extent.more) : 'Looking…'}
        {isFull && ` ${count(VALUES_MAX_COUNT)} are chosen, which is as many as fit.`}
      </p>
    </FloatingList>
  )
}

/** The typed text, if no value is spelled like it. */
function unheldValue(text: string, offers: readonly Offer[]): string | null {
  const typed = text.trim()
  const isHeld = offers.some(({ value }) => foldValue(value) === foldValue(typed))
  return typed === '' || isHeld ? null : typed
}

function describe(values: number, more: number): string {
  if (more > 0) return `${countOf(values, 'value')} of ${count(values + more)}: type to narrow.`
  return values === 0 ? 'No value is called that.' : `${countOf(values, 'value')}.`
}

const LABEL_MAX_LENGTH = 80

type OptionProps = {
  id: string
  /** The keys are at it. */
  isActive: boolean
  /** False while the counts are of what is stored so far. */
  isWhole: boolean
  onPress(): void
}

/** A value with its count. */
function ValueOption({ offer, isOff, isWhole, ...option }: OptionProps & { offer: Offer; isOff: boolean }) {
  const { label, count: times, isChosen } = offer
  return (
    <Row {...option} isChosen={isChosen} isOff={isOff}>
      <span className="min-w-0 flex-1 truncate">
        <Untrusted text={label} maxLength={LABEL_MAX_LENGTH} clip="silent" isRaw />
      </span>
      {times !== undefined && (
        <span className="shrink-0 text-faint text-xs tabular-nums">
          {' '}
          {count(times)}
          {!isWhole && ' so far'}
        </span>
      )}
    </Row>
  )
}

/** Marks a text that is no value of any threat before it filters. */
function UnheldOption({ value, isWhole, ...option }: OptionProps & { value: string }) {
  return (
    <Row {...option} isChosen={false} isOff={false}>
      <span className="min-w-0 flex-1 py-1.5 leading-snug">
        Filter by “
        <Untrusted text={value} maxLength={LABEL_MAX_LENGTH} clip="silent" isRaw />
        ”: <span className="text-medium">no threat stored {isWhole ? 'here' : 'here so far'}</span> that the
        other filters match has it
      </span>
    </Row>
  )
}

type RowProps = Omit<OptionProps, 'isWhole'> & { isChosen: boolean; isOff: boolean; children: ReactNode }

function Row({ children, ...option }: RowProps) {
  return (
    <ListOption {...option}>
      <span
        aria-hidden="true"
        className={`grid size-4 shrink-0 place-items-center rounded-sm border ${option.isChosen ? 'border-accent bg-accent text-on-accent' : 'border-edge'}`}
      >
        {option.isChosen && <Icon name="check" className="size-3" />}
      </span>
      {children}
    </ListOption>
  )
}

/** A value that can be ticked; its count is unknown where nobody counted. */
type Offer = { value: string; label: string; count?: number | undefined; isChosen: boolean }

type OfferRequest = {
  /** Values that are offered whatever occurs. */
  known: readonly string[]
  /** How often which value occurs, most frequent first; undefined where nobody counted. */
  counted: readonly { value: string; count: number }[] | undefined
  /** True if the counted values are all. Any other value does not occur. */
  isAll: boolean
  chosen: readonly string[]
  /** Those that stand first: a list must not move while values are ticked. */
  first: readonly string[]
  text: string
  /** The value that the text is another name of. */
  named?: string | null
  labelOf(value: string): string
}

/** Returns the values that fit a text: first those chosen before, then by frequency, and last those that do not occur. */
export function offerValues(request: OfferRequest): Offer[] {
  const { known, counted, isAll, chosen, first, text, named = null, labelOf } = request
  const counts = new Map(counted?.map(({ value, count }) => [foldValue(value), count]))
  const chosenFolds = new Set(chosen.map(foldValue))
  const firstFolds = new Set(first.map(foldValue))
  const wanted = foldValue(text)
  const values = new Map<string, string>()
  for (const value of [...(counted ?? []).map(({ value }) => value), ...known, ...first, ...chosen]) {
    const fold = foldValue(value)
    if (!values.has(fold)) values.set(fold, value)
  }

  return [...values]
    .map(([fold, value]) => ({
      rank: firstFolds.has(fold) ? Number.POSITIVE_INFINITY : (counts.get(fold) ?? 0),
      value,
      label: labelOf(value),
      count: counts.get(fold) ?? (isAll ? 0 : undefined),
      isChosen: chosenFolds.has(fold),
    }))
    .filter(
      ({ value, label }) =>
        foldValue(label).includes(wanted) || foldValue(value) === wanted || value === named,
    )
    .sort((a, b) => (a.rank === b.rank ? 0 : b.rank - a.rank))
    .map(({ rank: _rank, ...offer }) => offer)
}

/** The chosen values with one more, or without it: spelled otherwise, it is the same. */
export function toggleValue(chosen: readonly string[], value: string): string[] {
  const fold = foldValue(value)
  const others = chosen.filter((other) => foldValue(other) !== fold)
  if (others.length < chosen.length) return others
  return [...chosen, value].slice(0, VALUES_MAX_COUNT)
}

const DEBOUNCE_MS = 150

function facetOptions(name: FacetName, { [name]: _own, ...others }: ThreatListScope, text: string) {
  return queryOptions({
    queryKey: ['facets', name, others, text],
    queryFn: ({ signal }) =>
      getJson(`facets/${name}`, facetAnswerSchema, { query: { ...others, text: text || undefined }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** The counts of what a text narrows: all of them are requested once, and narrowed here, unless there are too many. */
export function useCounted(name: FacetName, scope: ThreatListScope | null, text: string) {
  const isCounted = scope !== null
  const options = facetOptions(name, scope ?? { timeZone: 'UTC' }, '')
  const all = useQuery({ ...options, enabled: isCounted })
  const rested = useDebouncedValue(text.trim(), DEBOUNCE_MS)
  const isLong = (all.data?.more ?? 0) > 0 && text.trim() !== ''
  const part = useQuery({ ...facetOptions(name, scope ?? { timeZone: 'UTC' }, rested), enabled: isLong })
  const answer = isLong ? part.data : all.data
  const isCurrent = isLong ? rested === text.trim() && !part.isPlaceholderData : !all.isPlaceholderData
  const failed = isLong ? part.isError : all.isError
  const counted = answer?.values ?? undefined
  return {
    counted,
    more: answer?.more ?? 0,
    isAll: counted !== undefined && answer?.more === 0,
    isExact: answer?.isExact ?? false,
    isSettled: !isCounted || failed || (answer !== undefined && isCurrent),
  }
}
