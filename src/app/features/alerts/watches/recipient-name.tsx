import { Untrusted } from '#app/ui/untrusted.tsx'
import type { WatchRecipient } from '#contract/bff/watch.ts'
import { DeliveryDestination } from '../deliveries/delivery-parts.tsx'

/** Whom a watch tells: a user by name, a destination masked. */
export function RecipientName({ recipient }: { recipient: WatchRecipient }) {
  if (recipient.channel !== 'user') return <DeliveryDestination {...recipient} />
  return <Untrusted text={recipient.name} maxLength={100} clip="silent" />
}

/** The same for an accessible name. */
export function recipientLine(recipient: WatchRecipient): string {
  return recipient.channel === 'user' ? recipient.name : recipient.destination
}
