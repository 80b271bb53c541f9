import type { Database } from '#database/database.ts'
import { readPasswordHash } from './account-queries.ts'
import type { Passwords } from './password-hash.ts'

type VerifiedPassword = { accountId: string; password: string; hash: string }

/**
 * Uses the hash that a password was verified against; `use` answers null where that is the account's no more. A sign-in
 * elsewhere may have hashed the same password anew: then the newer hash is verified, and used.
 */
export async function withVerifiedHash<Result>(
  { database, passwords }: { database: Database; passwords: Passwords },
  { accountId, password, hash }: VerifiedPassword,
  use: (hash: string) => Promise<Result | null>,
): Promise<Result | null> {
  const used = await use(hash)
  if (used !== null) return used
  const newer = await readPasswordHash(database, accountId)
  if (newer === null || newer === hash || !(await passwords.verify(password, newer))) return null
  return use(newer)
}
