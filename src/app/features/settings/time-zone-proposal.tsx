import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ownTimeZone } from '#app/format/time-zones.ts'
import { Button } from '#app/ui/button.tsx'
import { changePreferences, useTimeZone } from '#app/ui/preferences.ts'
import { keepTimeZoneMutation } from './profile-options.ts'

/** Names that browsers give to a device whose clock shows UTC. */
const UTC_NAMES = new Set(['UTC', 'Etc/UTC', 'Etc/GMT', 'GMT'])

/** Proposes the zone of the device to an account that has chosen none. */
export function TimeZoneProposal() {
  const [own] = useState(ownTimeZone)
  const shown = useTimeZone()
  const keep = useMutation(keepTimeZoneMutation(useQueryClient()))
  const isAnswered = keep.isPending || keep.isSuccess
  if (UTC_NAMES.has(own) || shown !== 'UTC' || isAnswered) return null
  return (
    <section
      aria-label="Time zone"
      className="fixed bottom-4 left-4 z-20 flex max-w-[calc(100vw-2rem)] flex-wrap items-center gap-2 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-3 text-sm shadow-floating print:hidden"
    >
      <p className="mr-2 max-sm:basis-full">
        {keep.isError ? 'Your choice was not saved.' : 'Times are shown in UTC.'}
      </p>
      <Button size="small" onClick={() => changePreferences({ timeZone: own })}>
        Use {own.replaceAll('_', ' ')}
      </Button>
      <Button size="small" variant="quiet" onClick={() => keep.mutate()}>
        Keep UTC
      </Button>
    </section>
  )
}
