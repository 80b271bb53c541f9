import type { ThreatFilter } from '#contract/bff/threat-list.ts'

export function hasFilter(filter: ThreatFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined && value.length > 0)
}
