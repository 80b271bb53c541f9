import { Time } from '#app/ui/time.tsx'
import type { DestinationHealth } from '#contract/bff/alert-health.ts'
import { AnswerText } from '../deliveries/delivery-parts.tsx'

const TONES = {
  ended: 'text-critical',
  unopenable: 'text-critical',
  failing: 'text-critical',
  late: 'text-medium',
  proven: 'text-faint',
  unproven: 'text-faint',
} as const

/** Says if messages reach a destination; if not, since when, why and what to do. */
export function HealthNote({ health }: { health: DestinationHealth }) {
  const { state, fault, remedy } = health
  return (
    <span className="wrap-anywhere block text-xs">
      <span className={TONES[state]}>
        <HealthState health={health} />
        {state === 'failing' && fault && (
          <>
            : <AnswerText {...fault} />
          </>
        )}
        {state !== 'proven' && state !== 'unproven' && '.'}
      </span>
      {remedy !== null && <span className="text-muted"> {remedy}</span>}
    </span>
  )
}

function HealthState({ health: { state, since } }: { health: DestinationHealth }) {
  if (state === 'unopenable') return 'Cannot be read: nothing is sent'
  if (state === 'unproven') return 'No message sent yet'
  if (since === null) return state
  if (state === 'proven')
    return (
      <>
        Last message <Time at={since} show="age" />
      </>
    )
  const words = { ended: 'Ended', failing: 'Not delivered since', late: 'Messages wait since' }[state]
  return (
    <>
      {words} <Time at={since} />
    </>
  )
}
