import type { AlertDestinations } from '#contract/bff/alert.ts'
import { destinationsInWords, ProfileDestinations } from './profile-destinations.tsx'

/** Whom the profile tells that is being copied: nobody can read the addresses themselves back. */
export function CopiedDestinations({ destinations }: { destinations: AlertDestinations }) {
  if (destinationsInWords(destinations) === '') return null
  return (
    <div role="note" className="grid gap-1 text-sm">
      <p className="font-medium text-medium">A copy begins without addresses</p>
      <p className="text-muted">
        They cannot be read back: enter again whom this one is to tell. The original tells:
      </p>
      <ProfileDestinations destinations={destinations} />
    </div>
  )
}
