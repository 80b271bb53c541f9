import { createToken, hashToken } from '#bff/http/token.ts'
import type { Database } from '#database/database.ts'
import { deleteSessionsOf, insertSession } from './session-queries.ts'

/** Ends every session of an account; whoever acts goes on under the fresh token that it answers. */
export async function renewSession(tx: Database, accountId: string): Promise<string> {
  const token = createToken()
  await deleteSessionsOf(tx, accountId)
  await insertSession(tx, hashToken(token), { accountId })
  return token
}
