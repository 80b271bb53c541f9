import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import type { LedgerDetail } from '#contract/bff/delivery-ledger.ts'
import { resendMutation } from '../delivery-options.ts'
import { isResendable } from './delivery-words.ts'

/** Asks first where it may arrive twice. */
export function SendAgain({ delivery }: { delivery: LedgerDetail }) {
  const { data: session } = useQuery(sessionOptions())
  const [isAsking, setIsAsking] = useState(false)
  const sending = useMutation(resendMutation(useQueryClient()))
  const isOffered = isResendable(delivery) && session !== undefined && session.user.role !== 'viewer'
  const send = () => {
    setIsAsking(false)
    sending.mutate(delivery.id)
  }
  return (
    <>
      {isOffered && !isAsking && (
        <Button
          size="small"
          icon="refresh"
          isBusy={sending.isPending}
          className="justify-self-start max-sm:h-11"
          onClick={() => (delivery.state === 'unclear' ? setIsAsking(true) : send())}
        >
          {delivery.state === 'unclear' ? 'Send again…' : 'Send again'}
        </Button>
      )}
      {isOffered && isAsking && (
        <div className="flex flex-wrap items-center gap-2">
          <p className="text-muted text-xs">It may arrive twice.</p>
          <Button size="small" variant="danger" onClick={send}>
            Send it all the same
          </Button>
          <Button size="small" variant="quiet" autoFocus onClick={() => setIsAsking(false)}>
            Leave it
          </Button>
        </div>
      )}
      <ActionError error={sending.error} not="sent again" />
    </>
  )
}
