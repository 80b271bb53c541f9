import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Recipient } from '#contract/bff/recipient.ts'
import { DeliveryDestination } from '../deliveries/delivery-parts.tsx'
import { HealthNote } from '../health/health-note.tsx'

/** A recipient of a profile: a user by name, a destination masked, and whether messages reach it. */
export function RecipientName({ recipient }: { recipient: Recipient }) {
  return (
    <>
      {recipient.channel === 'user' ? (
        <Untrusted text={recipient.name} maxLength={100} clip="silent" />
      ) : (
        <DeliveryDestination {...recipient} />
      )}
      {recipient.health && <HealthNote health={recipient.health} />}
    </>
  )
}

/** The same for an accessible name. */
export function recipientLine(recipient: Recipient): string {
  return recipient.channel === 'user' ? recipient.name : recipient.destination
}
