import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import type { UpstreamKeys } from '#bff/upstream/client/upstream-client.ts'
import type { Database } from '#database/database.ts'
import { execute, findRow } from '#database/read-rows.ts'

/** A process has these secrets: `before` while SECRET is rotated; `lost` if nobody has the former one any more. */
export type GivenSecret = { secret: string; before?: string | undefined; isBeforeLost?: boolean | undefined }

/** Earlier versions put an operator's names for fields into these names: with none of them, an empty object. */
const MAPPED = {}
const knownSchema = z.object({ fingerprint: z.instanceof(Buffer) })

/** Checks that the process has the database's SECRET, and accepts a new one that comes with the former one. */
export function recogniseSecret(
  database: Database,
  { secret, before, isBeforeLost = false }: GivenSecret,
): Promise<boolean> {
  const own = fingerprintOf(secret)
  return database.transaction(async (tx) => {
    await tx.query('insert into known_secret (fingerprint) values ($1) on conflict do nothing', [own])
    const row = await findRow(tx, knownSchema)`select fingerprint from known_secret for update`
    const known = row?.fingerprint
    if (known?.equals(own)) return true
    if (!isBeforeLost && !(before && known?.equals(fingerprintOf(before)))) return false
    await tx.query('update known_secret set fingerprint = $1, since = now()', [own])
    return true
  })
}

/** A name for one address: what another one lists is never shown for it. */
export function nameSource(url: string, secret: string): string {
  return nameWith([new URL(url).origin, MAPPED], secret)
}

/** A name for the keys of a vendor: what another key may list is read anew. */
export function nameKeys(
  url: string,
  { apiKey = '', earlierApiKey = '' }: UpstreamKeys,
  secret: string,
): string {
  return nameWith([new URL(url).origin, apiKey, earlierApiKey, MAPPED], secret)
}

function nameWith(named: readonly unknown[], secret: string): string {
  return createHmac('sha256', secret)
    .update(`window-source\n${JSON.stringify(named)}`)
    .digest('base64url')
}

type SourceNames = { source: string; keys: string }

/** Renames table entries whose names were made with the former SECRET. The former version also named a vendor by its keys. */
export async function renameSource(
  database: Database,
  { before, now }: { before: SourceNames | null; now: SourceNames },
): Promise<void> {
  await database.transaction(async (tx) => {
    for (const name of [now.keys, before?.keys, before?.source].filter((found) => found !== undefined)) {
      const given = [name, now.source]
      await tx.query('update window_reach set source = $2 where source = $1', given)
      await tx.query('update window_trouble set source = $2 where source = $1', given)
      await execute(tx, given)`
        update listed_threat as listed set source = $2
         where source = $1 and not exists (select from listed_threat where source = $2 and id = listed.id)`
    }
    if (!before) return
    const keys = [before.keys, now.keys]
    await tx.query('update window_reach set keys_name = $2 where keys_name = $1', keys)
    // Hashes of drafts are made with a SECRET too: none of one stands beside those of another.
    await tx.query('update alert_creation set source = $2 where source = $1', keys)
  })
}

function fingerprintOf(secret: string): Buffer {
  return createHmac('sha256', secret).update('lantern known secret').digest()
}
