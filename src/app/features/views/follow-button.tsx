import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { Button } from '#app/ui/button.tsx'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import type { RenderWatch } from './render-watch.ts'

// Not on the way to the page: fetched when first needed.
const ViewWatch = lazy(async () => ({ default: (await import('./view-watch.tsx')).ViewWatch }))

type FollowButtonProps = {
  /** What is followed, as a person calls it. */
  name: string
  /** All of its threats, and no others. */
  filter: ThreatFilter
  render: RenderWatch
}

/** Watches all threats of an actor or a country, by a view of its own. */
export function FollowButton({ name, filter, render }: FollowButtonProps) {
  const { data: session } = useQuery(sessionOptions())
  const [isOpen, setIsOpen] = useState(false)
  if (!session || session.user.role === 'viewer') return null
  return (
    <>
      <Button
        variant="primary"
        icon="plus"
        aria-haspopup="dialog"
        className="max-sm:h-11"
        onClick={() => setIsOpen(true)}
      >
        Follow
      </Button>
      <Suspense>
        {isOpen && (
          <ViewWatch {...{ filter, render }} suggestedName={name} onClose={() => setIsOpen(false)} />
        )}
      </Suspense>
    </>
  )
}
