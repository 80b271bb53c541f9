import {
  mutationOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { countOf } from '#app/format/count.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { Time } from '#app/ui/time.tsx'
import type { Coverage } from '#contract/bff/coverage.ts'
import {
  type HistoryLoad,
  historyLoadSchema,
  historyLoadsSchema,
  type LoadOffer,
} from '#contract/bff/history-load.ts'

type LoadHistoryProps = {
  /** The time that the page shows, if part of it may not be stored; otherwise null. */
  time: RequestedTime | null
  className?: string
}

/** Loads what a question asks for and is not stored, with its progress; nothing where nothing of it is missing. */
export function LoadHistory({ time, className = '' }: LoadHistoryProps) {
  const queryClient = useQueryClient()
  const { data: session } = useQuery(sessionOptions())
  const [shown, setShown] = useState<string | null>(null)
  const { data } = useQuery({
    ...historyLoadsOptions(time ?? {}),
    enabled: time !== null || shown !== null,
  })
  const { load, stop } = historyMutations(queryClient)
  const begin = useMutation({ ...load, onSuccess: ({ id }) => setShown(id) })
  const end = useMutation(stop)

  const open = data?.loads.find((one) => isOpen(one) && (one.id === shown || time !== null))
  const current = open ?? data?.loads.find(({ id }) => id === shown)
  const openId = open?.id ?? null
  const [followed, setFollowed] = useState<string | null>(null)
  useEffect(() => {
    if (openId !== null) {
      setFollowed(openId)
      setShown(openId)
    } else if (followed !== null) {
      setFollowed(null)
      // Lists keep their rows while somebody reads them: here, what was missing of them has come.
      queryClient.invalidateQueries({ queryKey: ['threats'] })
    }
  }, [openId, followed, queryClient])

  const offer = open ? null : data?.offer
  const mayLoad = session?.user.role === 'analyst' || session?.user.role === 'admin'
  const error = begin.error ?? end.error
  if (!current && !(offer && mayLoad) && !error) return null
  return (
    <div className={`flex flex-wrap items-center gap-x-3 gap-y-2 text-xs print:hidden ${className}`}>
      {current && (
        <p role="status" className="text-muted">
          {describeLoad(current)}
          {open && current.reachedFrom && (
            <>
              {' '}
              Read down to <Time at={current.reachedFrom} show="day" />.
            </>
          )}
          {current.reason && ` ${current.reason}`}
        </p>
      )}
      {/* One element, so that the focus stays on it. */}
      {mayLoad && (open || offer) && (
        <Button
          size="small"
          className="max-sm:h-auto max-sm:min-h-11 max-sm:whitespace-normal"
          isBusy={begin.isPending || end.isPending}
          onClick={() => (open ? end.mutate(open.id) : offer && begin.mutate(offer))}
        >
          {open ? 'Stop' : offer && describeOffer(offer)}
        </Button>
      )}
      <ActionError error={error} />
    </div>
  )
}

function isOpen({ state }: HistoryLoad): boolean {
  return state === 'waiting' || state === 'reading'
}

/** The same under a list that says which time it lacks. */
export function LoadMissing({ coverage }: { coverage: Coverage | undefined }) {
  const gaps = coverage?.gaps ?? []
  const time = gaps.length > 0 ? { from: gaps.at(-1)?.from ?? undefined, to: gaps.at(0)?.to } : null
  return <LoadHistory time={time} className="justify-center px-4 pb-4" />
}

/** `July 2026`, or `June to July 2026`: the months of UTC that a time touches. */
function monthsOf({ from, to }: { from: string; to: string }, locale?: string): string {
  const [first, last] = [Date.parse(from), Date.parse(to) - 1]
  const format = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.formatRange(first, Math.max(first, last))
}

/** The words of the button: what is loaded, and what that costs. */
function describeOffer(offer: LoadOffer, locale?: string): string {
  const { isBackTo, from, calls, callsLeft } = offer
  const what = isBackTo ? `back to ${monthsOf({ from, to: from }, locale)}` : monthsOf(offer, locale)
  const left = callsLeft === null ? '' : `, ${callsLeft.toLocaleString(locale)} left today`
  return `Load ${what} (about ${countOf(calls, 'call')}${left})`
}

/** How far a load has come, or how it ended. */
function describeLoad(load: HistoryLoad, locale?: string): string {
  const { state, pages, pagesExpected, records, added } = load
  const months = monthsOf(load, locale)
  const read = `${countOf(records, 'threat')} read, ${added.toLocaleString(locale)} new`
  if (state === 'waiting') return `${months} will be loaded next.`
  if (state === 'done') return load.reachedFrom ? `${months} is loaded.` : `${months} is loaded: ${read}.`
  if (state === 'stopped') return `Loading ${months} was stopped. What was read stays: ${read}.`
  if (state === 'failed') return `${months} could not be loaded.`
  if (load.reachedFrom) return `Loading ${months}.`
  const of = pagesExpected === null ? countOf(pages, 'page') : `page ${pages} of about ${pagesExpected}`
  return `Loading ${months}: ${of}, ${read}.`
}

/** The prefix of every key of loads. */
const historyLoadsKey = ['history-loads'] as const
/** Live events say what has changed; a browser without them still sees progress. */
const POLL_MS = 5_000

const nothingSchema = z.undefined()

/** The time of a question: a period in the reader's zone, or bounds, ISO 8601 UTC. */
type RequestedTime =
  | { period: string; timeZone: string }
  | { from?: string | undefined; to?: string | undefined }

/** Loads of older threats for a time: those running and those possible. */
function historyLoadsOptions(time: RequestedTime) {
  return queryOptions({
    queryKey: [...historyLoadsKey, time],
    queryFn: ({ signal }) => getJson('history-loads', historyLoadsSchema, { query: time, signal }),
    refetchInterval: ({ state }) =>
      state.data?.loads.some((load) => load.state === 'waiting' || load.state === 'reading')
        ? POLL_MS
        : false,
  })
}

function historyMutations(queryClient: QueryClient) {
  const onSettled = () => queryClient.invalidateQueries({ queryKey: historyLoadsKey })
  return {
    load: mutationOptions({
      mutationFn: ({ from, to }: LoadOffer) =>
        sendJson('history-loads', historyLoadSchema, { body: { from, to } }),
      onSettled,
    }),
    stop: mutationOptions({
      mutationFn: (id: string) => sendJson(`history-loads/${id}`, nothingSchema, { method: 'DELETE' }),
      onSettled,
    }),
  }
}
