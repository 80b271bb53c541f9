import type { ThreatFacets } from '#contract/bff/threat-list.ts'

export type Choice = {
  value: string
  label: string
  /** How many threats it would show; undefined where nobody counted. */
  count?: number
}

type Facet = ThreatFacets[keyof ThreatFacets]

/** Options with how often each occurs: most frequent first, and those that never occur last, in their own order. */
export function countChoices(
  options: readonly Choice[],
  facet: Facet | undefined,
  describe: (value: string) => string,
): Choice[] {
  if (!facet) return [...options]
  const counts = new Map<string, number>()
  for (const { value, count } of facet) counts.set(value, (counts.get(value) ?? 0) + count)
  const known = options.map((option) => ({ ...option, count: counts.get(option.value) ?? 0 }))
  const knownValues = new Set(options.map(({ value }) => value))
  const others = [...counts]
    .filter(([value]) => !knownValues.has(value))
    .map(([value, count]) => ({ value, label: describe(value), count }))
  return [...known, ...others].sort((a, b) => b.count - a.count)
}
