import type { OwnServiceKeys } from '#bff/vendor/keys/service-key-routes.ts'
import type { Database } from '#database/database.ts'
import { createKey } from '#service/keys/create-key.ts'
import { findKey } from '#service/keys/find-key.ts'
import { hashToken } from '#service/keys/key-token.ts'
import { listKeys } from '#service/keys/list-keys.ts'
import { revokeKey } from '#service/keys/replace-key.ts'

/** The keys of our own service, for an admin of the dashboard that runs beside it. */
export function createOwnServiceKeys(service: Database, ownToken: string): OwnServiceKeys {
  return {
    async list() {
      const own = await findKey(service, hashToken(ownToken), null)
      return (await listKeys(service)).map((key) => ({
        ...key,
        endsAt: key.endsAt && new Date(key.endsAt).toISOString(),
        isOwn: key.id === own?.id,
      }))
    },
    create: (key) => createKey(service, key),
    revoke: (id) => revokeKey(service, id),
  }
}
