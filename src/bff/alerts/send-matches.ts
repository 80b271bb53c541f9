import { ringBells } from '#bff/notify/inbox-queries.ts'
import type { Database } from '#database/database.ts'
import { enqueueMatches, type Match } from '#delivery/enqueue.ts'
import type { LedgerAccess } from '#delivery/ledger-access.ts'
import type { Cause } from '#delivery/message.ts'

/** The recipients of a profile's messages. */
export type Recipients = {
  /** The ids in the ledger. */
  destinationIds: readonly string[]
  /** Whose bells ring. */
  accountIds: readonly string[]
}

export type Sender = {
  cause: Cause
  /** The bell leads here. */
  path: string
  /** Within the transaction that writes the messages. */
  readRecipients(tx: Database): Promise<Recipients>
}

export type NewMatch = Pick<Match, 'event' | 'threat'>

/** Writes down that matches of a profile are to be sent now, and rings the bells. */
export async function sendMatches(
  tx: Database,
  { cause, path, readRecipients }: Sender,
  matches: readonly NewMatch[],
  { readNow }: LedgerAccess,
): Promise<void> {
  const [first] = matches
  if (!first) return
  const { destinationIds, accountIds } = await readRecipients(tx)
  await enqueueMatches(
    tx,
    matches.map((match) => ({ ...match, cause, destinationIds })),
    readNow,
  )
  const count = matches.length === 1 ? '1 new threat' : `${matches.length} new threats`
  const title = `${count} in ${cause.name}`
  await ringBells(tx, accountIds, { kind: 'matches', title, detail: first.threat.title, path })
}
