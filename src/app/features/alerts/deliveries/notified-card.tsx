import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { countOf } from '#app/format/count.ts'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Time } from '#app/ui/time.tsx'
import { useIsSeen } from '#app/ui/use-is-seen.ts'
import type { ThreatNotifications } from '#contract/bff/delivery-ledger.ts'
import type { Delivery } from '#contract/delivery.ts'
import { notificationsOptions } from './delivery-options.ts'
import { DeliveryCauses, DeliveryDestination, DeliveryStateBadge } from './delivery-parts.tsx'

const SHOWN = 5
const VENDOR_SENDS = 'Your vendor sends the messages of alert profiles itself, and Lantern cannot list them.'

/** The messages sent about a threat. They load when the card is near the viewport. */
export function NotifiedCard({ threatId }: { threatId: string }) {
  const { ref, isSeen } = useIsSeen<HTMLDivElement>()
  const { data: session } = useQuery(sessionOptions())
  const query = useQuery({ ...notificationsOptions(threatId), enabled: isSeen })
  const hasLedger = session !== undefined && session.user.role !== 'viewer'
  return (
    <div ref={ref}>
      <SectionCard title="Notifications">
        <LoadedPart query={query} name="notifications" heights={['h-5']}>
          {(data) =>
            data.deliveries.length === 0 ? (
              <p className="px-4 py-3 text-muted text-sm">
                Lantern has sent nobody a message about this threat. {data.isVendorSending && VENDOR_SENDS}
              </p>
            ) : (
              <NotificationList notifications={data} hasLedger={hasLedger} />
            )
          }
        </LoadedPart>
      </SectionCard>
    </div>
  )
}

function NotificationList({
  notifications: { deliveries, isVendorSending },
  hasLedger,
}: {
  notifications: ThreatNotifications
  hasLedger: boolean
}) {
  const rest = deliveries.slice(SHOWN)
  return (
    <>
      <NotificationItems entries={deliveries.slice(0, SHOWN)} hasLedger={hasLedger} />
      {rest.length > 0 && (
        <details className="border-line border-t text-sm">
          <summary className="w-fit rounded-sm px-4 py-2 text-muted text-xs hover:text-ink">
            {countOf(rest.length, 'older message')}
          </summary>
          <NotificationItems entries={rest} hasLedger={hasLedger} />
        </details>
      )}
      {isVendorSending && (
        <p className="border-line border-t px-4 py-2.5 text-faint text-xs">{VENDOR_SENDS}</p>
      )}
    </>
  )
}

function NotificationItems({ entries, hasLedger }: { entries: readonly Delivery[]; hasLedger: boolean }) {
  return (
    <ul className="divide-y divide-line">
      {entries.map((entry) => (
        <li key={entry.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-sm">
          <DeliveryStateBadge state={entry.state} />
          <span className="wrap-anywhere min-w-0">
            <DeliveryDestination {...entry} />
          </span>
          <span className="wrap-anywhere min-w-0 text-muted text-xs">
            <DeliveryCauses causes={entry.causes} />
          </span>
          <span className="ml-auto flex items-center gap-3 text-muted text-xs">
            <Time at={entry.answeredAt ?? entry.createdAt} />
            {hasLedger && (
              <Link
                to="/alerts/deliveries"
                search={{ open: entry.id }}
                className="touch font-medium text-accent hover:underline"
              >
                View delivery
              </Link>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}
