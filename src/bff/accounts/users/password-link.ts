import * as z from 'zod/mini'
import { createToken, hashToken } from '#bff/http/token.ts'
import type { PasswordLink } from '#contract/bff/user.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'

const LIFETIME = `interval '3 days'`

/**
 * A link by which a person sets a password, once. Whoever made it gives it to that person; the one before it is void. The
 * token is in the fragment: no log sees it.
 */
export async function createPasswordLink(
  db: Database,
  accountId: string,
  publicUrl: string,
): Promise<PasswordLink> {
  const token = createToken()
  const { rows } = await db.query(
    `insert into password_link (account_id, token_hash, expires_at) values ($1, $2, now() + ${LIFETIME})
     on conflict (account_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at
     returning ${isoUtc('expires_at')} as "expiresAt"`,
    [accountId, hashToken(token)],
  )
  const [{ expiresAt }] = z.tuple([z.object({ expiresAt: z.iso.datetime() })]).parse(rows)
  return { url: new URL(`/sign-in#password=${token}`, publicUrl).href, expiresAt }
}
