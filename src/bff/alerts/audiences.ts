import { readThreatConcerns } from '#bff/store/lists/threat-concerns.ts'
import type { Database } from '#database/database.ts'
import type { NotifiedThreat } from '#delivery/message.ts'

/** Destinations whose messages may name the same lists. */
export type Audience = {
  /**
   * The account that owns the mailbox. Null for all other destinations: many people may read them, so their messages
   * name only the team's lists.
   */
  accountId: string | null
  /** Ids of destinations in the delivery ledger. */
  destinationIds: readonly string[]
}

/**
 * Groups destinations by the lists that their messages may name. A mailbox that is a recipient twice counts as the
 * user's.
 */
export function groupAudiences(
  destinations: readonly { id: string; accountId: string | null }[],
): Audience[] {
  const owners = new Map<string, string | null>()
  for (const { id, accountId } of destinations) owners.set(id, owners.get(id) ?? accountId)
  const grouped = Map.groupBy(owners, ([, accountId]) => accountId)
  return [...grouped].map(([accountId, some]) => ({ accountId, destinationIds: some.map(([id]) => id) }))
}

/** Adds to threats the list entries that they match, from lists that the audience may see. */
export async function addConcerns(
  tx: Database,
  { accountId }: Audience,
  threats: readonly NotifiedThreat[],
): Promise<NotifiedThreat[]> {
  return (await readThreatConcerns(tx, accountId, threats)).addTo(threats)
}
