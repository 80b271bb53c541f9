import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { countOf } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { explainError } from '#app/ui/explain-error.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { Watch } from '#contract/bff/watch.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { AskFirst } from '../ask-first.tsx'
import { TestButton } from '../deliveries/test-button.tsx'
import { TestedRow } from '../deliveries/tested-row.tsx'
import { DeliverySummary } from '../delivery-summary.tsx'
import { NoEmailNote } from '../no-email-note.tsx'
import { testRecipient, watchListOptions, watchMutations } from '../watch-options.ts'
import { RecipientName, recipientLine } from './recipient-name.tsx'
import { leaveWatchOptions } from './recipient-options.ts'
import { SearchFaultsNote } from './search-faults-note.tsx'

// Not on the way to the list: fetched when first opened.
const WatchDialog = lazy(async () => ({ default: (await import('./watch-dialog.tsx')).WatchDialog }))

/** The saved views whose new threats are told, and to whom. */
export function WatchSection() {
  const { data, error, refetch } = useQuery(watchListOptions())
  const { data: session } = useQuery(sessionOptions())
  const [changed, setChanged] = useState<Watch | null>(null)
  const role = session?.user.role ?? 'viewer'
  return (
    <div id="watches" className="scroll-mt-16">
      <SectionCard title={data ? countOf(data.watches.length, 'watch', 'watches') : 'Watches'}>
        {!data && !error && (
          <div role="status" className="p-4">
            <VisuallyHidden>Loading the watches…</VisuallyHidden>
            <Skeleton className="h-12 w-full" />
          </div>
        )}
        {!data && error && (
          <div className="p-4">
            <ErrorPanel error={error} onRetry={() => refetch()} />
          </div>
        )}
        {data?.hasEmail === false && role !== 'viewer' && (
          <div className="border-line border-b px-4 py-2">
            <NoEmailNote />
          </div>
        )}
        {data?.watches.length === 0 && (
          <p className="px-4 py-3 text-muted text-sm">
            A watch tells people of each new threat that a saved view shows, with all its filters.{' '}
            {role !== 'viewer' && (
              <>
                Set filters in{' '}
                <Link to="/threats" className="touch font-medium text-accent hover:underline">
                  Threats
                </Link>{' '}
                and press Watch.
              </>
            )}
          </p>
        )}
        {data && data.watches.length > 0 && (
          <ul className="divide-y divide-line">
            {data.watches.map((watch) => (
              <WatchItem
                key={watch.id}
                watch={watch}
                tellsMe={watch.recipients.some(
                  (one) => one.channel === 'user' && one.userId === session?.user.id,
                )}
                canChange={role === 'admin' || (role === 'analyst' && watch.owner.isMe)}
                hasLedger={role !== 'viewer'}
                onChange={() => setChanged(watch)}
              />
            ))}
          </ul>
        )}
      </SectionCard>
      <Suspense>
        {changed && (
          <WatchDialog
            view={{ id: changed.viewId, name: changed.viewName }}
            watch={changed}
            onClose={() => setChanged(null)}
          />
        )}
      </Suspense>
    </div>
  )
}

type WatchItemProps = {
  watch: Watch
  tellsMe: boolean
  canChange: boolean
  hasLedger: boolean
  onChange(): void
}

function WatchItem({ watch, tellsMe, canChange, hasLedger, onChange }: WatchItemProps) {
  const { viewId, viewName, owner, recipients } = watch
  return (
    <li className="grid gap-2 px-4 py-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Link
          to="/threats"
          search={{ view: viewId }}
          className="touch wrap-anywhere min-w-0 font-medium hover:underline"
        >
          <Untrusted text={viewName} maxLength={80} clip="silent" isRaw />
        </Link>
        {!owner.isMe && (
          <span className="text-faint text-xs">
            by <Untrusted text={owner.name} maxLength={80} clip="silent" />
          </span>
        )}
        <DeliverySummary summary={watch} cause={{ watch: watch.id }} hasLedger={hasLedger} />
        {canChange && <WatchActions watch={watch} onChange={onChange} />}
        {!canChange && tellsMe && <LeaveButton watch={watch} />}
      </div>
      <SearchFaultsNote searchFaults={watch.searchFaults} />
      <ul aria-label="Recipients" className="grid gap-1">
        {recipients.map((recipient) => (
          <li key={recipient.id} className="min-w-0">
            <TestedRow
              test={
                canChange && (
                  <TestButton
                    subject={visibleLine(recipientLine(recipient))}
                    send={async () => [await testRecipient(watch.id, recipient.id)]}
                  />
                )
              }
            >
              <RecipientName recipient={recipient} />
            </TestedRow>
          </li>
        ))}
      </ul>
    </li>
  )
}

/** For whoever is told by another's watch. */
function LeaveButton({ watch }: { watch: Watch }) {
  const leave = useMutation(leaveWatchOptions(useQueryClient()))
  return (
    <span className="ml-auto flex flex-wrap items-center justify-end gap-2">
      {leave.error && (
        <span role="alert" className="text-critical text-xs">
          Not done. {explainError(leave.error).message}. {explainError(leave.error).detail}
        </span>
      )}
      <Button
        size="small"
        aria-label={`Take me off the watch of ${visibleLine(watch.viewName)}`}
        isBusy={leave.isPending}
        className="max-sm:h-11"
        onClick={() => leave.mutate(watch.id)}
      >
        Take me off
      </Button>
    </span>
  )
}

function WatchActions({ watch, onChange }: { watch: Watch; onChange(): void }) {
  const mutations = watchMutations(useQueryClient())
  const change = useMutation(mutations.change)
  const remove = useMutation(mutations.remove)
  const error = change.error ?? remove.error
  const name = visibleLine(watch.viewName)
  const next = watch.state === 'paused' ? 'active' : 'paused'
  return (
    <span className="ml-auto flex flex-wrap items-center justify-end gap-2">
      {error && (
        <span role="alert" className="text-critical text-xs">
          Not done. {explainError(error).message}. {explainError(error).detail}
        </span>
      )}
      <AskFirst
        label="End…"
        accessibleLabel={`End the watch of ${name}`}
        warning="What waits is not sent either."
        confirm="End it"
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate(watch.id)}
      >
        <Button
          size="small"
          isBusy={change.isPending}
          aria-label={`${next === 'paused' ? 'Pause' : 'Resume'} the watch of ${name}`}
          className="max-sm:h-11"
          onClick={() => change.mutate({ id: watch.id, change: { state: next } })}
        >
          {next === 'paused' ? 'Pause' : 'Resume'}
        </Button>
        <Button
          size="small"
          aria-label={`Change the watch of ${name}`}
          className="max-sm:h-11"
          onClick={onChange}
        >
          Change
        </Button>
      </AskFirst>
    </span>
  )
}
