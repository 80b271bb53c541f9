import type { AlertDestinations } from '#contract/bff/alert.ts'
import { destinationsInWords, ProfileDestinations } from './profile-destinations.tsx'

/** The addresses of the profile that is being copied: nobody can read them back whole. */
export function CopiedDestinations({ destinations }: { destinations: AlertDestinations }) {
  if (destinationsInWords(destinations) === '') return null
  return (
    <div role="note" className="grid gap-1 text-sm">
      <p className="font-medium text-medium">A copy begins without addresses</p>
      <p className="text-muted">
        They cannot be read back: enter again those that this one is to have. The original has:
      </p>
      <ProfileDestinations destinations={destinations} />
    </div>
  )
}
