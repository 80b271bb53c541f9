import * as z from 'zod/mini'
import { badRequest } from '#bff/http/problem-error.ts'
import { addInboxItems } from '#bff/notify/inbox-queries.ts'
import { pathToFeed } from '#bff/notify/link-to-matches.ts'
import type { Mention } from '#contract/bff/mention.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import { SEARCH_MAX_LENGTH } from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'
import { writeValue } from '#matcher/query/print-query.ts'
import { readRows } from '#server/read-rows.ts'

const accountSchema = z.object({ id: z.string(), isDisabled: z.boolean() })

/** Returns the mentioned accounts that can sign in. Throws if one of them does not exist. Nobody deletes them meanwhile. */
export async function requireMentioned(tx: Database, mentions: readonly Mention[]): Promise<string[]> {
  const ids = [...new Set(mentions.map(({ accountId }) => accountId))]
  if (ids.length === 0) return []
  const accounts = await readRows(tx, accountSchema, [ids])`
    select id::text, disabled_at is not null as "isDisabled" from account where id = any($1::uuid[]) for key share`
  if (accounts.length < ids.length)
    throw badRequest(
      'Remove the name, and choose the user from the list again. The comment was not added.',
      'A mentioned user does not exist',
    )
  return accounts.flatMap(({ id, isDisabled }) => (isDisabled ? [] : [id]))
}

type Comment = {
  eventId: string
  author: { accountId: string; name: string }
  text: string
  /** A threat of each case that it is on. */
  threatIds: readonly string[]
}

/** Puts a comment into the inbox of each account that it mentions, but not of its author. */
export async function notifyMentioned(
  tx: Database,
  accountIds: readonly string[],
  { eventId, author, text, threatIds }: Comment,
): Promise<void> {
  await addInboxItems(
    tx,
    accountIds
      .filter((accountId) => accountId !== author.accountId)
      .map((accountId) => ({
        accountId,
        kind: 'notice',
        title: `${author.name} mentioned you in a comment${threatIds.length > 1 ? ` on ${threatIds.length} cases` : ''}`,
        detail: text,
        path: pathTo(threatIds),
        mentionedIn: eventId,
      })),
  )
}

/** Leads to the one threat, or to the feed of all cases. If they are too many for a search, all that have comments. */
function pathTo([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return `/threats/${pathSegment(first)}`
  const q = `id:${[first, ...others].map((id) => writeValue(id)).join(',')}`
  return pathToFeed({ q: q.length > SEARCH_MAX_LENGTH ? 'has:comment' : q })
}
