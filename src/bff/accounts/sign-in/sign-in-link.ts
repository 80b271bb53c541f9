import { randomUUID } from 'node:crypto'
import { recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { deleteFactors } from '#bff/accounts/factors/factor-queries.ts'
import { createToken, hashToken } from '#bff/http/token.ts'
import type { Database } from '#database/database.ts'
import { insertBreakGlassLink, insertSignInLink } from './account-queries.ts'
import { deleteSessionsOf } from './session-queries.ts'

const LIFETIME_SECONDS = 10 * 60
const BREAK_GLASS_SECONDS = 15 * 60

/** A link that signs the first admin in once, from this machine. The token is in the fragment: no log sees it. */
export async function createSignInLink(db: Database, publicUrl: string): Promise<string | null> {
  const token = createToken()
  const isInserted = await insertSignInLink(db, hashToken(token), LIFETIME_SECONDS)
  return isInserted ? addressOf(token, publicUrl) : null
}

/**
 * Creates a link that signs an admin in once, from anywhere, for when nothing else does; null if no enabled admin has the
 * address. `maker` requested it at the console, and may remove the admin's second factors with it.
 */
export function createBreakGlassLink(
  db: Database,
  typedEmail: string,
  { publicUrl, maker, resetsFactors }: { publicUrl: string; maker: string; resetsFactors: boolean },
): Promise<string | null> {
  const email = typedEmail.trim().toLowerCase()
  const token = createToken()
  return db.transaction(async (tx) => {
    const id = await insertBreakGlassLink(tx, email, {
      tokenHash: hashToken(token),
      lifetimeSeconds: BREAK_GLASS_SECONDS,
    })
    if (id === null) return null
    const facts = {
      actor: null,
      route: 'npm run break-glass',
      object: id,
      objectName: email,
      address: maker,
      requestId: randomUUID(),
    }
    await recordAudit(tx, { ...facts, action: 'break-glass-link-created' })
    if (resetsFactors) {
      await deleteSessionsOf(tx, id)
      if (await deleteFactors(tx, id)) await recordAudit(tx, { ...facts, action: 'user-factors-reset' })
    }
    return addressOf(token, publicUrl)
  })
}

function addressOf(token: string, publicUrl: string): string {
  return new URL(`/sign-in#link=${token}`, publicUrl).href
}
