import type { Database } from '#database/database.ts'
import { readSecret, writeSecret } from '#database/embedded/keep-secret.ts'
import { createKey } from '#service/keys/create-key.ts'
import { findKey } from '#service/keys/find-key.ts'
import { hashToken } from '#service/keys/key-token.ts'

const NAME = 'service-key'

/** The key with which the BFF calls our own service: kept in DATA_DIR, made anew when the service does not know it. */
export async function keepServiceKey(dataDir: string, service: Database): Promise<string> {
  const kept = await readSecret(dataDir, NAME)
  if (kept && (await findKey(service, hashToken(kept), null))) return kept
  const { token } = await createKey(service, {
    account: 'lantern',
    name: 'The dashboard',
    earlierPlan: 'enterprise',
    v1Plan: 'defend',
  })
  await writeSecret(dataDir, NAME, token)
  return token
}
