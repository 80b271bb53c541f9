import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { ThreatProfiles } from '#app/features/alerts/threat-profiles.tsx'
import { BackToFeed } from '#app/features/threats/back-to-feed.tsx'
import { NeighbourLinks } from '#app/features/threats/neighbour-links.tsx'
import { threatOptions } from '#app/features/threats/threat-options.ts'
import { ThreatView } from '#app/features/threats/threat-view.tsx'
import { useFeedKeys } from '#app/features/threats/use-feed-keys.ts'
import { ThreatTriage } from '#app/features/triage/threat-triage.tsx'
import { TriagePanel } from '#app/features/triage/triage-panel.tsx'
import { useTriage } from '#app/features/triage/triage-provider.tsx'
import { routeSetSchema } from '#contract/route-set.ts'

export const Route = createFileRoute('/threats/$id')({
  validateSearch: z.object({ set: z.catch(z.optional(routeSetSchema), undefined) }),
  loaderDeps: ({ search: { set } }) => ({ set }),
  context: ({ params: { id }, deps: { set } }) => ({ threat: threatOptions(id, set) }),
  loader: ({ context, preload }) => {
    // A pointer passing over a list must not spend a call for each row.
    if (!preload) context.queryClient.prefetchQuery(context.threat)
  },
  component: ThreatPage,
})

function ThreatPage() {
  const { id } = Route.useParams()
  const { set } = Route.useSearch()
  const { data } = useQuery(Route.useRouteContext().threat)

  const { isAllowed, start, undo } = useTriage()
  const command = (name: Parameters<typeof start>[0]) => (isAllowed ? () => start(name, [id]) : undefined)
  useFeedKeys({
    read: command('read'),
    star: command('star'),
    dismiss: command('dismiss'),
    note: command('note'),
    undo: isAllowed ? undo : undefined,
  })

  return (
    <div className="grid gap-3">
      <div className="flex items-center justify-between">
        <BackToFeed />
        <NeighbourLinks id={id} set={set} />
      </div>
      <ThreatView
        key={id}
        id={id}
        set={set}
        status={<ThreatTriage id={id} />}
        aside={<TriagePanel id={id} />}
      >
        {data && <ThreatProfiles threat={data.threat} set={set} />}
      </ThreatView>
    </div>
  )
}
