import { Badge } from '#app/ui/badge.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Delivery, DeliveryChannel, DeliveryState } from '#contract/delivery.ts'
import { CHANNELS, isQuoted, kindInWords, STATES } from './delivery-words.ts'

export function DeliveryStateBadge({ state }: { state: DeliveryState }) {
  return <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>
}

type DestinationProps = { channel: DeliveryChannel; destination: string }

/** The kind of place, and where, masked as the server gives it. */
export function DeliveryDestination({ channel, destination }: DestinationProps) {
  return (
    <>
      <span className="text-faint">{CHANNELS[channel]}</span>{' '}
      <Untrusted text={destination} maxLength={120} clip="silent" isRaw />
    </>
  )
}

export function DeliverySubject({ delivery }: { delivery: Delivery }) {
  const [tested] = delivery.causes
  if (delivery.kind === 'test' && tested)
    return (
      <>
        Test of <Untrusted text={tested.name} maxLength={80} clip="silent" />
      </>
    )
  if (delivery.subject === null) return kindInWords(delivery)
  return <Untrusted text={delivery.subject} maxLength={160} clip="silent" isProse />
}

/** The profiles that made it. */
export function DeliveryCauses({ causes }: { causes: Delivery['causes'] }) {
  if (causes.length === 0) return <span className="text-faint">—</span>
  return causes.map(({ id, name }, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <Untrusted text={name} maxLength={80} clip="silent" />
    </span>
  ))
}

/** The destination's code and answer, or Lantern's sentence about what happened; without its full stop. */
export function AnswerText({ code, excerpt }: { code: string | null; excerpt: string | null }) {
  const answer = excerpt?.replace(/\.$/, '') ?? ''
  return (
    <>
      {code !== null && <Untrusted text={code} maxLength={60} clip="silent" />}
      {code !== null && answer !== '' && ' '}
      {answer !== '' && (
        <>
          {isQuoted(code) && '“'}
          <Untrusted text={answer} maxLength={200} clip="silent" isProse />
          {isQuoted(code) && '”'}
        </>
      )}
    </>
  )
}
