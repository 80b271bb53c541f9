import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { buttonLook } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'

/** Leads to the builder of alert profiles, for one that sends this page. */
export function SendAsDigest() {
  const { data: session } = useQuery(sessionOptions())
  if (!session || session.user.role === 'viewer') return null
  return (
    <Link to="/alerts/new" search={{ sends: 'shift' }} className={`${buttonLook()} max-sm:h-11 print:hidden`}>
      <Icon name="bell" />
      Send as digest
    </Link>
  )
}
