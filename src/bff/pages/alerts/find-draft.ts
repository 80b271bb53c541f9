import type { ReportedProfile } from '#bff/vendor/reader/read-alert-profiles.ts'
import type { AlertDraft } from '#contract/bff/alert.ts'
import { maskDestinations } from '#contract/bff/mask-address.ts'
import { foldCategory } from '#matcher/match-profiles.ts'
import { normaliseText } from '#matcher/normalise-text.ts'

/** The vendor's clock is not ours. */
const SKEW_MAX_MS = 10 * 60_000

/** When a draft was sent, and, where known, the ids in the list before: a profile without a time is recognised by them. */
type Before = { sentAtMs: number; knownIds: ReadonlySet<string> | null }

/** The profile that a draft has become, and no earlier one like it; null where the list holds none for certain. */
export function findDraft(
  draft: AlertDraft,
  profiles: readonly ReportedProfile[],
  { sentAtMs, knownIds }: Before,
): ReportedProfile | null {
  const wanted = describe({ ...draft, destinations: maskDestinations(draft) })
  const isNew = ({ id, createdAt }: ReportedProfile) =>
    createdAt === null ? !knownIds?.has(id) : Date.parse(createdAt) >= sentAtMs - SKEW_MAX_MS
  return profiles.find((profile) => isNew(profile) && describe(profile) === wanted) ?? null
}

/** One text for all profiles that say the same: a vendor may sort lists, drop doubles and change letter case. */
function describe({
  name,
  keywords,
  categories,
  destinations: { email, slack, teams },
}: Pick<ReportedProfile, 'name' | 'keywords' | 'categories' | 'destinations'>): string {
  const sets = [
    keywords.map(normaliseText),
    categories.map(foldCategory),
    email.map((address) => address.toLowerCase()),
  ]
  return JSON.stringify([name.trim(), slack, teams, ...sets.map((set) => [...new Set(set)].sort())])
}
