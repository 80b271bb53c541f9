import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { CallCost } from '#app/features/source/call-cost.tsx'
import { AgeNote } from '#app/ui/age-note.tsx'
import { Button } from '#app/ui/button.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import type { CountryAnswer } from '#contract/bff/country.ts'
import type { ProblemCode } from '#contract/bff/problem.ts'
import { type CountryScope, countryOptions, refreshCountry } from './country-options.ts'

// The last part of its page.
const ReportedStatistics = lazyWhenIdle(
  async () => (await import('./reported-statistics.tsx')).ReportedStatistics,
)

type CountryStatisticsPartProps = {
  answer: CountryAnswer
  scope: CountryScope
}

const LINK = 'font-medium text-accent hover:underline'
const TITLES: Partial<Record<ProblemCode, string>> = {
  not_found: 'No statistics',
  plan_not_allowed: 'Your plan has no country statistics',
  not_offered: 'This vendor offers no country statistics',
}

/** Shows the vendor's own figures of the country, or why they are missing. */
export function CountryStatisticsPart({ answer, scope }: CountryStatisticsPartProps) {
  const { statistics, statisticsFreshness, absent } = answer
  const queryClient = useQueryClient()
  const refresh = useMutation({
    mutationFn: () => refreshCountry(scope),
    onSuccess: (newer) => queryClient.setQueryData(countryOptions(scope).queryKey, newer),
  })
  return (
    <SectionCard
      title="The vendor’s own statistics"
      note={statisticsFreshness && <AgeNote freshness={statisticsFreshness} />}
      tools={
        absent?.code !== 'not_offered' && (
          <>
            <CallCost calls="1" />
            <Button
              size="small"
              icon="refresh"
              isBusy={refresh.isPending || absent?.isComing === true}
              onClick={() => refresh.mutate()}
            >
              Refresh
            </Button>
          </>
        )
      }
    >
      {refresh.error && (
        <p role="alert" className="px-4 pt-3 text-critical text-sm">
          {refresh.error.message}
        </p>
      )}
      {statistics && (
        <Suspense fallback={<Skeleton className="m-4 h-40" />}>
          <ReportedStatistics statistics={statistics} />
        </Suspense>
      )}
      {absent?.isComing && <Coming />}
      {absent && !absent.isComing && (
        <div className="grid max-w-prose gap-1 px-4 py-4 text-sm">
          <p className="font-medium">{TITLES[absent.code] ?? 'Not available now'}</p>
          <p className="text-muted">
            {absent.reason} {answer.window && 'What Lantern counts itself, above, does not depend on it.'}
          </p>
          <p className="mt-1 flex flex-wrap gap-4">
            {answer.code !== null && (
              <Link to="/threats" search={{ country: [answer.code] }} className={LINK}>
                Its threats in the feed
              </Link>
            )}
            <Link to="/countries" className={LINK}>
              All countries
            </Link>
          </p>
        </div>
      )}
    </SectionCard>
  )
}

function Coming() {
  return (
    <div role="status" className="grid gap-3 px-4 py-4 text-muted text-sm">
      <p>Loading from the vendor…</p>
      <Skeleton className="h-6 w-64" />
      <Skeleton className="h-4 w-96 max-w-full" />
    </div>
  )
}
