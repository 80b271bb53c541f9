import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Recipient } from '#contract/bff/recipient.ts'
import { DeliveryDestination } from '../deliveries/delivery-parts.tsx'

/** A recipient of a profile: a user by name, a destination masked, and whether it has ended. */
export function RecipientName({ recipient }: { recipient: Recipient }) {
  if (recipient.channel === 'user') return <Untrusted text={recipient.name} maxLength={100} clip="silent" />
  const { endedAt } = recipient
  return (
    <>
      <DeliveryDestination {...recipient} />
      {endedAt !== undefined && (
        <span className="block text-critical text-xs">
          Ended: it answered 410 on <Time at={endedAt} />. Nothing is sent to it until it accepts a test.
        </span>
      )}
    </>
  )
}

/** The same for an accessible name. */
export function recipientLine(recipient: Recipient): string {
  return recipient.channel === 'user' ? recipient.name : recipient.destination
}
