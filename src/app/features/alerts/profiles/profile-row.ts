import type { AlertList, AlertProfile } from '#contract/bff/alert.ts'
import type { LanternProfile } from '#contract/bff/alert-profile.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import type { DeliverySummary } from '#contract/delivery.ts'

/** A profile of the list, wherever it runs. */
export type ProfileRow =
  | {
      runsIn: 'vendor'
      profile: AlertProfile
      /** Null where the vendor sends its own messages, and reports nothing of them. */
      summary: DeliverySummary | null
    }
  | { runsIn: 'lantern'; profile: LanternProfile; summary: DeliverySummary }

/** All profiles by name. */
export function listRows(vendor: AlertList | undefined, lantern: readonly LanternProfile[]): ProfileRow[] {
  const rows: ProfileRow[] = [
    ...(vendor?.profiles ?? []).map((profile) => ({
      runsIn: 'vendor' as const,
      profile,
      summary: vendor?.extension?.deliveries[profile.id] ?? null,
    })),
    ...lantern.map((profile) => ({ runsIn: 'lantern' as const, profile, summary: profile })),
  ]
  return rows.toSorted((a, b) => a.profile.name.localeCompare(b.profile.name, 'en', { sensitivity: 'base' }))
}

/** Describes the search of a profile, a text for each condition. */
export function termsOf(row: ProfileRow): string[] {
  if (row.runsIn === 'vendor') return row.profile.keywords
  if (row.profile.isShift) return ['Shift']
  const terms = describeFilter(row.profile.filter)
  return terms.length > 0 ? terms : ['All threats']
}

/** The parts of a filter as the search language writes them. */
export function describeFilter({ q, ...filters }: ThreatFilter): string[] {
  const others = Object.entries(filters).flatMap(([name, given = []]) =>
    [given].flat().map((value) => `${name}:${value}`),
  )
  return [...(q === undefined ? [] : [q]), ...others]
}
