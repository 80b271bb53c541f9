import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import type { LedgerDetail, TestSent } from '#contract/bff/delivery-ledger.ts'
import { deliveryOptions } from './delivery-options.ts'
import { AnswerText, DeliveryDestination } from './delivery-parts.tsx'
import { isUnderWay } from './delivery-words.ts'

type TestButtonProps = {
  /** Name of the tested thing, for screen readers. */
  subject: string
  label?: string
  send(): Promise<readonly TestSent[]>
  /** The test has reached somebody without a delivery. */
  hasOthers?: boolean
}

/** Sends a marked message, and says how that went. It belongs into a `TestedRow`. */
export function TestButton({ subject, label = 'Test', send, hasOthers = false }: TestButtonProps) {
  const sending = useMutation({ mutationFn: send })
  return (
    <>
      <Button
        size="small"
        icon="mail"
        aria-label={`${label} ${subject}`}
        isBusy={sending.isPending}
        className="max-sm:h-11"
        onClick={() => sending.mutate()}
      >
        {label}
      </Button>
      <div className="order-last grid min-w-0 flex-1 basis-64 content-start gap-1 text-xs has-[p]:py-1.5 max-sm:has-[p]:py-3.5">
        <ActionError error={sending.error} not="tested" />
        <div role="status" className="grid gap-1 empty:hidden">
          {sending.data?.length === 0 && !hasOthers && <p>There is no destination to test.</p>}
          {sending.data?.map((sent) => (
            <TestOutcome key={sent.id} id={sent.id} isOneOfMany={sending.data.length > 1} />
          ))}
        </div>
      </div>
    </>
  )
}

const POLL_MS = 1_000
const PATIENCE_MS = 20_000

function TestOutcome({ id, isOneOfMany }: { id: string; isOneOfMany: boolean }) {
  const [sentAt] = useState(Date.now)
  const { data, error, dataUpdatedAt } = useQuery({
    ...deliveryOptions(id),
    refetchInterval: ({ state }) =>
      (!state.data || isUnderWay(state.data)) && Date.now() - sentAt < PATIENCE_MS ? POLL_MS : false,
  })
  const isLate = dataUpdatedAt - sentAt >= PATIENCE_MS - POLL_MS
  return (
    <p className="text-muted">
      {isOneOfMany && data && (
        <>
          <DeliveryDestination {...data} />:{' '}
        </>
      )}
      {data ? <Outcome delivery={data} isLate={isLate} /> : error ? 'The outcome did not load.' : 'Sending…'}{' '}
      {data && (!isUnderWay(data) || isLate || data.state === 'retrying') && (
        <Link
          to="/alerts/deliveries"
          search={{ open: id }}
          className="touch font-medium text-accent hover:underline"
        >
          View delivery
        </Link>
      )}
    </p>
  )
}

function Outcome({ delivery, isLate }: { delivery: LedgerDetail; isLate: boolean }) {
  const { state, code, excerpt } = delivery
  if (state === 'sent') return <span className="text-ink">Delivered.</span>
  if (state === 'queued' || state === 'sending') return isLate ? 'No answer yet.' : 'Sending…'
  if (state === 'heldBack') return 'Waiting: the hourly limit of this destination is reached.'
  if (state === 'unclear') return 'No answer came. Check whether the message arrived.'
  return (
    <span className={state === 'retrying' ? 'text-medium' : 'text-critical'}>
      {state === 'retrying' ? 'Failed, Lantern tries again: ' : 'Failed: '}
      <AnswerText code={code} excerpt={excerpt} />
      {(code ?? excerpt) && '.'}
    </span>
  )
}
