import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { execute, findRow } from '#database/read-rows.ts'
import { ProblemError } from './problem-error.ts'

const usedSchema = z.object({ isSame: z.boolean(), answer: z.string() })

type NamedWrite<Answer> = {
  accountId: string
  /** The route's method and path template. */
  route: string
  /** A browser names its write by this; without it, each write is made. */
  key: string | undefined
  /** The whole request, without the key. */
  body: unknown
  answer: z.ZodMiniType<Answer>
}

/**
 * Makes a write, unless its account has made it under this key in the last day: then its answer is given again. Within
 * the transaction of the write: of two at the same time, the second waits for the first to be made or to fail.
 */
export async function writeOnce<Answer>(
  tx: Database,
  { accountId, route, key, body, answer: schema }: NamedWrite<Answer>,
  write: () => Promise<Answer>,
): Promise<Answer> {
  if (key === undefined) return write()
  const hash = createHash('sha256')
    .update(`${route}\n${JSON.stringify(body)}`)
    .digest()
  await tx.query(`delete from idempotency_key where used_at < now() - interval '1 day'`)
  const rowCount = await execute(tx, [accountId, key, hash])`
    insert into idempotency_key (account_id, key, request_hash) values ($1, $2, $3) on conflict do nothing`
  if (rowCount === 0) {
    const used = await findRow(tx, usedSchema, [accountId, key, hash])`
      select request_hash = $3 as "isSame", answer from idempotency_key where account_id = $1 and key = $2`
    if (used?.isSame) return schema.parse(JSON.parse(used.answer))
    throw new ProblemError({
      code: 'conflict',
      title: 'This key was used for something else',
      detail: 'Nothing was changed. Send another idempotencyKey with another body.',
      fields: [{ name: 'idempotencyKey', reason: 'It was used with another body in the last day.' }],
    })
  }
  const answer = await write()
  await execute(tx, [accountId, key, JSON.stringify(answer)])`
    update idempotency_key set answer = $3 where account_id = $1 and key = $2`
  return answer
}
