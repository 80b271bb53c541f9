import { useEffect, useState } from 'react'

type FeedPlan = typeof import('#contract/bff/feed-plan.ts')

/** What only the vendor's APIs refuse. Not on the way to the first page: fetched when one of them answers; null until then. */
export function useFeedPlan(isNeeded: boolean): FeedPlan | null {
  const [plan, setPlan] = useState<FeedPlan | null>(null)
  useEffect(() => {
    if (isNeeded) import('#contract/bff/feed-plan.ts').then((loaded) => setPlan(() => loaded))
  }, [isNeeded])
  return isNeeded ? plan : null
}
