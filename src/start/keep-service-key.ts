import { readSecret, writeSecret } from '#database/embedded/keep-secret.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createKey } from '#service/keys/create-key.ts'

const NAME = 'service-key'
const UNAUTHORIZED = 401

/** The key with which the BFF asks our own service: kept in DATA_DIR, made anew when the service does not know it. */
export async function keepServiceKey(
  dataDir: string,
  service: { url: string; database: OpenDatabase },
): Promise<string> {
  const kept = await readSecret(dataDir, NAME)
  if (kept && (await isKnown(service.url, kept))) return kept
  const { token } = await createKey(service.database, {
    account: 'lantern',
    name: 'The dashboard',
    earlierPlan: 'enterprise',
    v1Plan: 'defend',
  })
  await writeSecret(dataDir, NAME, token)
  return token
}

async function isKnown(url: string, key: string): Promise<boolean> {
  const response = await fetch(`${url}/api/v1/threats?limit=1`, {
    headers: { authorization: `Bearer ${key}` },
  })
  await response.body?.cancel()
  return response.status !== UNAUTHORIZED
}
