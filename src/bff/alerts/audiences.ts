import { readThreatConcerns } from '#bff/store/lists/threat-concerns.ts'
import type { Database } from '#database/database.ts'
import type { NotifiedThreat } from '#delivery/message.ts'

/** Destinations whose messages may name the same lists. */
export type Audience = {
  /** Whose mailbox it is. Null for all other destinations: many may read them, so that they learn of the team's lists only. */
  accountId: string | null
  /** The ids in the ledger. */
  destinationIds: readonly string[]
}

/** Groups destinations by what they may know. A mailbox that is named twice is its user's. */
export function groupAudiences(
  destinations: readonly { id: string; accountId: string | null }[],
): Audience[] {
  const owners = new Map<string, string | null>()
  for (const { id, accountId } of destinations) owners.set(id, owners.get(id) ?? accountId)
  const grouped = Map.groupBy(owners, ([, accountId]) => accountId)
  return [...grouped].map(([accountId, some]) => ({ accountId, destinationIds: some.map(([id]) => id) }))
}

/** Threats with the entries that they match, of the lists that an audience may know. */
export async function addConcerns(
  tx: Database,
  { accountId }: Audience,
  threats: readonly NotifiedThreat[],
): Promise<NotifiedThreat[]> {
  return (await readThreatConcerns(tx, accountId, threats)).addTo(threats)
}
