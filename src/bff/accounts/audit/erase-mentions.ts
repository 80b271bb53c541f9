import * as z from 'zod/mini'
import { mentionSchema, writeMentions } from '#contract/bff/mention.ts'
import type { Database } from '#database/database.ts'
import { execute, readRows } from '#server/read-rows.ts'

const commentSchema = z.object({ id: z.string(), text: z.string(), mentions: z.array(mentionSchema) })

/** Writes a mark in the place of a person's name, wherever a comment mentions their account. Returns the number of comments. */
export async function eraseMentions(tx: Database, accountId: string, mark: string): Promise<number> {
  // Their name is in the notices that others have of their comments.
  await execute(tx, [accountId])`
    delete from inbox_item where triage_event_id in (select id from triage_event where account_id = $1)`
  const comments = await readRows(tx, commentSchema, [JSON.stringify([{ accountId }])])`
    select id::text, text, mentions from triage_event where mentions @> $1::jsonb for update`
  for (const { id, text: before, mentions } of comments) {
    const { text, ranges } = writeMentions(
      before,
      mentions.map((mention) => ({
        ...mention,
        name: mention.accountId === accountId ? mark : before.slice(mention.start + 1, mention.end),
      })),
    )
    const left = mentions
      .map((mention, at) => ({ ...mention, ...ranges[at] }))
      .filter((mention) => mention.accountId !== accountId)
    await execute(tx, [id, text, JSON.stringify(left)])`
      update triage_event set text = $2, mentions = $3 where id = $1`
    await tx.query('update inbox_item set detail = $2 where triage_event_id = $1', [id, text])
  }
  return comments.length
}
