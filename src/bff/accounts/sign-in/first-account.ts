import { createToken } from '#bff/http/token.ts'
import type { Database } from '#database/database.ts'
import { affectsRows } from '#database/read-rows.ts'
import { insertFirstAccount } from './account-queries.ts'
import { createPasswords } from './password-hash.ts'
import { findPasswordFault } from './password-rules.ts'

const DEFAULT_EMAIL = 'admin@lantern.example'
const GENERATED_PASSWORD_LENGTH = 24

/** `password` is null where nobody signs in by one. */
export type FirstAccount = { email: string; password: string | null; isPasswordGenerated: boolean }

/** Makes the admin of an empty installation; null when any account exists, which is then left alone. A weak password is refused. */
export async function ensureFirstAccount(
  db: Database,
  wanted: { email?: string | undefined; password?: string | undefined },
  host: string,
  hasPasswordSignIn = true,
): Promise<FirstAccount | null> {
  if (await affectsRows(db)`select from account limit 1`) return null

  const email = (wanted.email ?? DEFAULT_EMAIL).trim().toLowerCase()
  const [name = email] = email.split('@')
  if (!hasPasswordSignIn) {
    const account = await insertFirstAccount(db, { email, name, passwordHash: null })
    return account && { email, password: null, isPasswordGenerated: false }
  }
  const password = wanted.password ?? createToken().slice(0, GENERATED_PASSWORD_LENGTH)
  const fault =
    wanted.password === undefined ? null : await findPasswordFault(password, { email, name }, host)
  if (fault) throw new Error(`ADMIN_PASSWORD must be another. ${fault}`)
  const account = await insertFirstAccount(db, {
    email,
    name,
    passwordHash: await createPasswords().hash(password),
  })
  return account && { email, password, isPasswordGenerated: wanted.password === undefined }
}
