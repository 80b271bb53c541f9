import { queryOptions, useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { getJson } from '#app/api/get-json.ts'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { PersonName } from '#app/ui/person-name.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import {
  type TriageEventAction,
  type TriageHistory,
  triageHistorySchema,
  writeMentions,
} from '#contract/bff/triage.ts'
import { closeReason } from '#contract/bff/triage-state.ts'
import { DueRule } from './due-note.tsx'
import { useTriageStates } from './threat-triage.tsx'
import { triageKey } from './triage-options.ts'
import { useTriage } from './triage-provider.tsx'

// Mentions make it larger than what is read before anybody writes.
const CommentForm = lazyWhenIdle(async () => (await import('./comment-form.tsx')).CommentForm)

const DID: Readonly<Record<TriageEventAction, string>> = {
  read: 'read it',
  unread: 'marked it as unread',
  star: 'starred it',
  unstar: 'unstarred it',
  close: 'closed it',
  reopen: 'reopened it',
  assign: 'assigned it',
  release: 'released it',
  note: 'added a comment',
  undo: 'undid a step',
}

/** Who of the team has done what with a threat, and when. */
export function TriagePanel({ id }: { id: string }) {
  const { isAllowed, act } = useTriage()
  const { data, error, refetch } = useQuery(triageHistoryOptions(id))
  const due = useTriageStates([id])?.get(id)?.due
  return (
    <SectionCard title="Team">
      {due && <DueRule due={due} />}
      {error && (
        <div className="p-4">
          <ErrorPanel error={error} onRetry={() => refetch()} />
        </div>
      )}
      {!data && !error && (
        <div className="grid gap-2 p-4">
          <Skeleton className="h-3 w-40" />
          <Skeleton className="h-3 w-28" />
        </div>
      )}
      {data && data.events.length === 0 && (
        <p className="px-4 py-3 text-muted text-sm">Nobody has done anything with it yet.</p>
      )}
      {data && data.events.length > 0 && (
        <ol className="max-h-80 divide-y divide-line overflow-auto px-4 text-sm">
          {data.events.map((event) => (
            <HistoryItem key={event.id} event={event} />
          ))}
        </ol>
      )}
      {isAllowed && (
        <div className="border-line border-t p-4">
          <Suspense fallback={<div className="h-37" />}>
            <CommentForm key={id} ids={[id]} onComment={act} />
          </Suspense>
        </div>
      )}
    </SectionCard>
  )
}

function HistoryItem({ event }: { event: TriageHistory['events'][number] }) {
  const { at, who, action, reason, owner, text, mentions, isUndone } = event
  const comment = writeMentions(text ?? '', mentions)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-0.5 py-2">
      <p>
        <span className="wrap-anywhere font-medium">
          <PersonName name={who} />
        </span>{' '}
        <span className={isUndone ? 'text-muted line-through' : 'text-muted'}>
          {DID[action]}
          {reason && `: ${closeReason(reason)}`}
          {owner !== null && (
            <>
              {' '}
              to <PersonName name={owner} />
            </>
          )}
        </span>
        {isUndone && <span className="text-faint"> (undone)</span>}
      </p>
      {text !== null && (
        <p className={isUndone ? 'text-muted line-through' : undefined}>
          <Untrusted text={comment.text} highlights={comment.ranges} multiline maxLength={400} isProse />
        </p>
      )}
      <p className="text-faint text-xs">
        <Time at={at} show="age" /> · <Time at={at} />
      </p>
    </li>
  )
}

const STALE_MS = 60_000

function triageHistoryOptions(id: string) {
  return queryOptions({
    queryKey: [...triageKey, 'history', id],
    queryFn: ({ signal }) => getJson(`triage/${pathSegment(id)}/history`, triageHistorySchema, { signal }),
    staleTime: STALE_MS,
  })
}
