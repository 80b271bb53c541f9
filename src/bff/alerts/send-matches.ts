import { ringBells } from '#bff/notify/inbox-queries.ts'
import type { Database } from '#database/database.ts'
import { enqueueMatches, type NewMatch } from '#delivery/enqueue.ts'
import type { LedgerAccess } from '#delivery/ledger-access.ts'
import type { Cause } from '#delivery/message.ts'
import { type Audience, addConcerns } from './audiences.ts'

/** The recipients of a profile's messages. */
export type Recipients = {
  audiences: readonly Audience[]
  /** Accounts whose bells ring. */
  accountIds: readonly string[]
}

export type Sender = {
  cause: Cause
  /** The path that the bell's entry opens. */
  path: string
  /** Runs within the transaction that writes the messages. */
  readRecipients(tx: Database): Promise<Recipients>
}

/** Enqueues matches of a profile to be sent now, and rings the bells. */
export async function sendMatches(
  tx: Database,
  { cause, path, readRecipients }: Sender,
  matches: readonly NewMatch[],
  access: LedgerAccess,
): Promise<void> {
  const [first] = matches
  if (!first) return
  const { audiences, accountIds } = await readRecipients(tx)
  for (const audience of audiences) {
    const { destinationIds } = audience
    const threats = await addConcerns(
      tx,
      audience,
      matches.map(({ threat }) => threat),
    )
    await enqueueMatches(
      tx,
      matches.map((match, at) => ({ ...match, threat: threats[at] ?? match.threat, cause, destinationIds })),
      access,
    )
  }
  const count = matches.length === 1 ? '1 new threat' : `${matches.length} new threats`
  const title = `${count} in ${cause.name}`
  const { title: named, news } = first.threat
  await ringBells(tx, accountIds, {
    kind: 'matches',
    title,
    detail: news ? `${named}: ${news}` : named,
    path,
  })
}
