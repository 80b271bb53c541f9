import { type Threat, threatSchema } from '#contract/bff/threat.ts'

const TEXTS = ['title', 'excerpt', 'category', 'severity', 'publishedAt'] as const
const LISTS = ['actors', 'countries', 'industries', 'organizations', 'domains'] as const

/** A stored threat with what its own record says: what that leaves out or withholds stays as the list reported it. */
export function joinDetail(stored: Threat, detail: Threat): Threat {
  const reported = [
    ...TEXTS.filter((name) => detail[name] !== null),
    ...LISTS.filter((name) => detail[name].length > 0),
  ]
  const rated = detail.severity === null ? stored : detail
  return completeThreat({
    ...withRating(stored, rated),
    ...Object.fromEntries(reported.map((name) => [name, detail[name]])),
  })
}

/** A record with what another one of the same threat reports, where it reports nothing itself. */
export function fillUp(
  threat: Threat,
  other: Threat,
  names: readonly string[] = [...TEXTS, ...LISTS],
): Threat {
  const filled = [
    ...TEXTS.filter((name) => threat[name] === null),
    ...LISTS.filter((name) => threat[name].length === 0),
  ].filter((name) => names.includes(name))
  const says = { ...other.listSays, ...threat.listSays }
  return completeThreat({
    ...withRating(threat, filled.includes('severity') ? other : threat),
    ...Object.fromEntries(filled.map((name) => [name, other[name]])),
    ...(Object.keys(says).length > 0 && { listSays: says }),
  })
}

/**
 * The list's record after a detail: members that the list has changed since it was read are the list's, the others stay as
 * they are shown.
 */
export function rejoinListed({ before, shown, now }: Record<'before' | 'shown' | 'now', Threat>): Threat {
  const isSame = (name: keyof Threat) => JSON.stringify(before[name]) === JSON.stringify(now[name])
  const kept = [...TEXTS, ...LISTS].filter(isSame)
  const rated = kept.includes('severity') && isSame('isSeverityDerived') ? shown : now
  return completeThreat({
    ...withRating(now, rated),
    ...Object.fromEntries(kept.map((name) => [name, shown[name]])),
  })
}

/** The flag for a derived severity is copied with the severity. */
function withRating(threat: Threat, { isSeverityDerived }: Threat): Threat {
  const { isSeverityDerived: _own, ...others } = threat
  return isSeverityDerived ? { ...others, isSeverityDerived } : others
}

/** Removes flags that the values contradict, and orders members: equal records have equal JSON. */
function completeThreat(threat: Threat): Threat {
  const { dateText: _dateText, ...dated } = threat
  const isGiven = (name: string) =>
    TEXTS.some((text) => text === name && threat[text] !== null) ||
    LISTS.some((list) => list === name && threat[list].length > 0)
  const redacted = threat.redacted.filter((name) => !isGiven(name))
  return threatSchema.parse({ ...(threat.publishedAt === null ? threat : dated), redacted })
}
