import { count } from '#app/format/count.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Time } from '#app/ui/time.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { WideSection } from '#app/ui/wide-section.tsx'
import type { ServiceKey } from '#contract/bff/service-key.ts'

const STATUSES = { active: 'Active', ending: 'Ending', ended: 'Revoked', expired: 'Expired' } as const
const CELL = 'px-4 py-2 text-left align-top'

type ServiceKeyTableProps = {
  keys: readonly ServiceKey[]
  isBusy: boolean
  onRevoke(id: string): void
}

export function ServiceKeyTable({ keys, isBusy, onRevoke }: ServiceKeyTableProps) {
  return (
    <WideSection label="Keys of the service">
      <table className="w-full min-w-max text-sm">
        <thead className="text-muted text-xs">
          <tr>
            {['Name', 'Team', 'v1 plan', 'Earlier plan', 'Status', 'Requests today'].map((heading) => (
              <th key={heading} scope="col" className={`${CELL} font-medium`}>
                {heading}
              </th>
            ))}
            <th scope="col" className={CELL}>
              <VisuallyHidden>Actions</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id} className="border-line border-t">
              <th scope="row" className={`${CELL} wrap-anywhere max-w-80 font-medium`}>
                {key.name}
              </th>
              <td className={`${CELL} wrap-anywhere max-w-60`}>{key.account}</td>
              <td className={CELL}>{key.v1Plan}</td>
              <td className={CELL}>{key.earlierPlan}</td>
              <td className={CELL}>
                <Badge tone={key.status === 'active' ? 'accent' : 'neutral'}>{STATUSES[key.status]}</Badge>
                {key.endsAt && (
                  <span className="ml-2 text-faint text-xs">
                    <Time at={key.endsAt} show="day" />
                  </span>
                )}
              </td>
              <td className={`${CELL} tabular-nums`}>{count(key.requestsToday)}</td>
              <td className={`${CELL} text-right`}>
                <RevokeAction serviceKey={key} isBusy={isBusy} onRevoke={onRevoke} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideSection>
  )
}

function RevokeAction({
  serviceKey: { id, name, isOwn, status },
  isBusy,
  onRevoke,
}: { serviceKey: ServiceKey } & Pick<ServiceKeyTableProps, 'isBusy' | 'onRevoke'>) {
  if (isOwn) return <span className="text-faint text-xs">Used by this dashboard</span>
  if (status === 'ended' || status === 'expired') return null
  return (
    <Button
      size="small"
      variant="danger"
      isBusy={isBusy}
      aria-label={`Revoke ${name}`}
      onClick={() => {
        if (window.confirm(`Revoke “${name}”? Programs that use it are refused at once.`)) onRevoke(id)
      }}
    >
      Revoke
    </Button>
  )
}
