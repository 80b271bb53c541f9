import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { buttonLook } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'

type AlertMeButtonProps = {
  /** Proposed name of the profile. */
  name: string
  filter: ThreatFilter
}

/** Leads to the builder of alert profiles with a search. */
export function AlertMeButton({ name, filter }: AlertMeButtonProps) {
  const { data: session } = useQuery(sessionOptions())
  if (!session || session.user.role === 'viewer') return null
  return (
    <Link
      to="/alerts/new"
      search={{ ...filter, name }}
      className={`${buttonLook({ variant: 'primary' })} max-sm:h-11`}
    >
      <Icon name="bell" />
      Alert me
    </Link>
  )
}
