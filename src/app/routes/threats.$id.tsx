import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Suspense } from 'react'
import * as z from 'zod/mini'
import { BackToFeed, NeighbourLinks } from '#app/features/threats/detail/threat-navigation.tsx'
import { ThreatView } from '#app/features/threats/detail/threat-view.tsx'
import { useFeedKeys } from '#app/features/threats/feed/feed-keys.ts'
import { storedThreatOptions, threatOptions } from '#app/features/threats/threat-options.ts'
import { ThreatTriage } from '#app/features/triage/threat-triage.tsx'
import { TriagePanel } from '#app/features/triage/triage-panel.tsx'
import { useTriage } from '#app/features/triage/triage-provider.tsx'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import { carryText, readCarriedText } from '#contract/bff/path-segment.ts'
import { routeSetSchema } from '#contract/route-set.ts'

// Below the threat itself.
const CasePanel = lazyWhenIdle(async () => (await import('#app/features/cases/case-panel.tsx')).CasePanel)
const NotifiedCard = lazyWhenIdle(
  async () => (await import('#app/features/alerts/deliveries/notified-card.tsx')).NotifiedCard,
)
const ThreatProfiles = lazyWhenIdle(
  async () => (await import('#app/features/alerts/threat-profiles.tsx')).ThreatProfiles,
)

export const Route = createFileRoute('/threats/$id')({
  params: {
    parse: ({ id }) => ({ id: readCarriedText(id) }),
    stringify: ({ id }) => ({ id: carryText(id) }),
  },
  validateSearch: z.object({ set: z.catch(z.optional(routeSetSchema), undefined) }),
  loaderDeps: ({ search: { set } }) => ({ set }),
  context: ({ params: { id }, deps: { set } }) => ({
    threat: threatOptions(id, set),
    stored: storedThreatOptions(id, set),
  }),
  loader: ({ context, preload }) => {
    // Stored data costs no call. Details do, so a pointer that passes over a list must not load them.
    context.queryClient.prefetchQuery(context.stored)
    if (!preload) context.queryClient.prefetchQuery(context.threat)
  },
  component: ThreatPage,
})

function ThreatPage() {
  const { id } = Route.useParams()
  const { set } = Route.useSearch()
  const { data } = useQuery(Route.useRouteContext().threat)

  const { isAllowed, start, undo } = useTriage()
  const command = (name: Parameters<typeof start>[0]) => () => start(name, [id])
  useFeedKeys({
    read: command('read'),
    take: command('take'),
    assign: command('assign'),
    star: command('star'),
    close: command('close'),
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
        aside={
          <>
            <Suspense fallback={null}>
              <CasePanel key={id} threatId={id} />
            </Suspense>
            <TriagePanel id={id} />
          </>
        }
      >
        <Suspense fallback={null}>
          {data && <ThreatProfiles threat={data.threat} set={set} />}
          <NotifiedCard threatId={id} />
        </Suspense>
      </ThreatView>
    </div>
  )
}
