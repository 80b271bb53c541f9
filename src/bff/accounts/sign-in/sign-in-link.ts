import { createToken, hashToken } from '#bff/http/token.ts'
import type { Database } from '#database/database.ts'
import { insertSignInLink } from './account-queries.ts'

const LIFETIME_SECONDS = 10 * 60

/** A link that signs the first admin in once, from this machine. The token is in the fragment: no log sees it. */
export async function createSignInLink(db: Database, publicUrl: string): Promise<string | null> {
  const token = createToken()
  const isInserted = await insertSignInLink(db, hashToken(token), LIFETIME_SECONDS)
  return isInserted ? new URL(`/sign-in#link=${token}`, publicUrl).href : null
}
