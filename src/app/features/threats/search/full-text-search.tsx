import {
  mutationOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useRef } from 'react'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { count, countOf } from '#app/format/count.ts'
import { clockTime, millisecondsOf } from '#app/format/time.ts'
import { explainError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useNow } from '#app/ui/use-now.ts'
import {
  type FullTextRequest,
  fullTextSearchSchema,
  type FullTextSearch as Search,
} from '#contract/bff/full-text-search.ts'
import { type CallBudget, REFUSED_KEY_STATE, type Source } from '#contract/bff/source.ts'

type FullTextSearchProps = {
  q: string
  /** Called when the vendor's results are stored, so that the list has more. */
  onFound(): void
}

const WORDS_MAX_LENGTH = 80

/** Lists carry no full texts: the way to search them at the vendor, and what came of it. */
export function FullTextSearch({ q, onFound }: FullTextSearchProps) {
  const { data: search, error, isPending } = useQuery(fullTextOptions(q))
  const { data: source } = useQuery(sourceOptions())
  const now = useNow()
  const timeZone = useTimeZone()
  const sending = useMutation(fullTextMutation(useQueryClient()))
  const section = useRef<HTMLElement>(null)
  const send = (offset: number) =>
    sending.mutate(
      { q, offset },
      {
        onSuccess() {
          // The button that was pressed goes, and the focus would go with it.
          if (section.current?.contains(document.activeElement)) section.current.focus()
          onFound()
        },
      },
    )
  const block = source && whyNotSearchable(source, { now, timeZone })
  const isOwn = source?.isOwnService === true
  const cost = isOwn && source.sets.earlier.budgets.day === null ? '' : ' (1 call)'
  const place = isOwn ? '' : ' at the vendor'
  // Our own service's lists give full texts: as a rule there is nothing to say.
  if (search?.isStored || (isPending && isOwn)) return null
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="Full texts"
      className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-1.5 pr-2 pl-4 text-muted text-xs"
    >
      {isPending && <p>Full texts{place}…</p>}
      {!search && error && (
        <p role="alert">
          Full texts cannot be searched{place} now. {explainError(error).detail}
        </p>
      )}
      {search && (
        <p role="status" className="min-w-0 flex-[1_1_16rem]">
          {sending.isPending ? `Searching full texts${place}…` : describeLast(search, place)}
        </p>
      )}
      {search?.words &&
        (block ? (
          <p>{block}</p>
        ) : (
          <Buttons search={search} now={now} cost={cost} place={place} sending={sending} send={send} />
        ))}
      {sending.error && !sending.isPending && (
        <p role="alert" className="basis-full text-ink">
          Not searched: {explainError(sending.error).message}. {explainError(sending.error).detail}
        </p>
      )}
    </section>
  )
}

/** `place` is where full texts are, in words that follow others. */
function describeLast({ words, refusal, last }: Search, place: string) {
  if (words === null) return `Full texts cannot be searched${place}. ${refusal ?? ''}`
  const sent = <Untrusted text={words} maxLength={WORDS_MAX_LENGTH} clip="silent" isProse />
  if (last === null)
    return <>This list may lack threats that have these words in their full text only: {sent}</>
  const { searchedAt, found, added, more } = last
  return (
    <>
      Full texts searched <Time at={searchedAt} /> for {sent}:{' '}
      {found === 0 ? 'no threats found' : `${countOf(found, 'threat')} found, ${count(added)} new to Lantern`}
      {more !== null && more > 0 && `, ${count(more)} more${place}`}
    </>
  )
}

type ButtonsProps = {
  search: Search
  now: number
  cost: string
  place: string
  sending: { isPending: boolean; variables: { offset: number } | undefined }
  send(offset: number): void
}

function Buttons({ search: { last }, now, cost, place, sending, send }: ButtonsProps) {
  const isBusy = (offset: number) => sending.isPending && sending.variables?.offset === offset
  const nextOffset = last?.nextOffset ?? null
  const isRepeatable = last === null || Date.parse(last.repeatableAt) <= now
  return (
    <span className="flex flex-wrap items-center gap-2">
      {nextOffset !== null && (
        <Button size="small" isBusy={isBusy(nextOffset)} onClick={() => send(nextOffset)}>
          Load next page{cost}
        </Button>
      )}
      {isRepeatable ? (
        <Button size="small" icon="search" isBusy={isBusy(0)} onClick={() => send(0)}>
          {`${last ? 'Search again' : `Search full texts${place}`}${cost}`}
        </Button>
      ) : (
        <span className="text-faint">
          Can be repeated after <Time at={last.repeatableAt} show="clock" />
        </span>
      )}
    </span>
  )
}

const STALE_MS = 60_000

/** Reads what can be sent to the vendor for a search, and what the last request found. It costs no call. */
function fullTextOptions(q: string) {
  return queryOptions({
    queryKey: ['full-text-searches', q] as const,
    queryFn: ({ signal }) => getJson('full-text-searches', fullTextSearchSchema, { query: { q }, signal }),
    staleTime: STALE_MS,
  })
}

/** One call at most. */
function fullTextMutation(queryClient: QueryClient) {
  return mutationOptions({
    mutationFn: (body: FullTextRequest) => sendJson('full-text-searches', fullTextSearchSchema, { body }),
    onSuccess: (found, { q }) => queryClient.setQueryData(fullTextOptions(q).queryKey, found),
  })
}

type Now = { now: number; timeZone: string }

/** Why no full text can be searched at the vendor now, for a person; null where nothing is known to stand in the way. */
function whyNotSearchable({ key, sets: { earlier } }: Source, { now, timeZone }: Now): string | null {
  const { status, budgets, blockedUntil, failure } = earlier
  if (status === 'withoutList') return 'This vendor’s earlier API has no list of threats to search.'
  if (status === 'absent') return 'This vendor has no earlier API, which alone can search full texts.'
  if (status === 'forbidden')
    return 'Your plan does not include the earlier API, which alone can search full texts.'
  if (key === 'missing') return 'No API key is set. Ask an admin to set one.'
  if (key === REFUSED_KEY_STATE || failure?.why === 'key_refused')
    return 'The vendor refuses the API key. Ask an admin to replace it.'
  if (millisecondsOf(blockedUntil) > now)
    return `The vendor takes no calls until ${clockTime(blockedUntil, timeZone)}.`
  const isUsedUp = (budget: CallBudget | null) =>
    budget?.remaining != null && budget.remaining <= 0 && !(millisecondsOf(budget.resetsAt) <= now)
  for (const [budget, span] of [
    [budgets.day, 'today'],
    [budgets.minute, 'this minute'],
  ] as const) {
    if (!isUsedUp(budget)) continue
    const until = budget?.resetsAt ? ` until ${clockTime(budget.resetsAt, timeZone)}` : ''
    return `No calls are left ${span}${until}.`
  }
  return null
}
