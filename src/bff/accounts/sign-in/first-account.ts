import { createToken } from '#bff/http/token.ts'
import type { Database } from '#database/database.ts'
import { insertFirstAccount } from './account-queries.ts'
import { createPasswords } from './password-hash.ts'

const DEFAULT_EMAIL = 'admin@lantern.example'
const GENERATED_PASSWORD_LENGTH = 24

export type FirstAccount = { email: string; password: string; isPasswordGenerated: boolean }

/** Makes the admin of an empty installation; null when any account exists, which is then left alone. */
export async function ensureFirstAccount(
  db: Database,
  wanted: { email?: string | undefined; password?: string | undefined },
): Promise<FirstAccount | null> {
  const { rowCount } = await db.query('select from account limit 1')
  if (rowCount > 0) return null

  const email = (wanted.email ?? DEFAULT_EMAIL).trim().toLowerCase()
  const password = wanted.password ?? createToken().slice(0, GENERATED_PASSWORD_LENGTH)
  const [name = email] = email.split('@')
  const account = await insertFirstAccount(db, {
    email,
    name,
    passwordHash: await createPasswords().hash(password),
  })
  return account && { email, password, isPasswordGenerated: wanted.password === undefined }
}
