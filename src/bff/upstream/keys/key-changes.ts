import { type AuditRecord, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { transactAsAdmin } from '#bff/accounts/sign-in/transact-as.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import type { ReaderSession } from '#bff/http/route.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { seal } from '#server/seal.ts'
import { deleteStoredKey, writeStoredKey } from './key-queries.ts'
import type { KeyStore } from './key-store.ts'
import { lastFourOf, placeOf } from './key-store.ts'
import { type TryOptions, tryKey } from './try-key.ts'

type Facts = Pick<AuditRecord, 'actor' | 'route' | 'address' | 'requestId'>

export type KeyChangeOptions = {
  keyStore: KeyStore
  secret: string
  /** A key is tried with these before it replaces another. */
  trial: TryOptions
}

const NAMES: Readonly<Record<RouteSet, string>> = { v1: 'API key', earlier: 'API key of the earlier set' }

/** Sets and removes the vendor's keys. A key that the source refuses replaces none. */
export function createKeyChanges({ keyStore, secret, trial }: KeyChangeOptions) {
  const { database, url } = trial
  const { origin } = new URL(url)

  return {
    async replace(set: RouteSet, token: string, admin: ReaderSession, facts: Facts): Promise<void> {
      const event = { ...facts, object: set, objectName: NAMES[set] }
      const before = { lastFour: keyStore.describe()[set].lastFour }
      const lastFour = lastFourOf(token)
      const caller = { priority: 'person', who: admin.user.id, session: admin.id } as const
      const reason = await tryKey(token, keyStore.setsOf(set), caller, trial)
      if (reason !== null) {
        await recordAudit(database, { ...event, action: 'key-refused', before, after: { lastFour, reason } })
        throw new ProblemError({
          code: 'bad_request',
          title: 'The key was not replaced',
          detail: reason,
          fields: [{ name: 'key', reason }],
        })
      }
      const sealed = seal(token, placeOf({ origin, set }), secret)
      await transactAsAdmin(database, admin, async (tx) => {
        await writeStoredKey(tx, { origin, set }, { sealed, lastFour, setBy: facts.actor })
        await recordAudit(tx, { ...event, action: 'key-replaced', before, after: { lastFour } })
      })
    },

    /** The key from the settings is used again. */
    async remove(set: RouteSet, admin: ReaderSession, facts: Facts): Promise<void> {
      await transactAsAdmin(database, admin, async (tx) => {
        const before = { lastFour: keyStore.describe()[set].lastFour }
        if (!(await deleteStoredKey(tx, { origin, set }))) {
          throw new ProblemError({ code: 'not_found', detail: 'No key was set here.' })
        }
        const event = { ...facts, object: set, objectName: NAMES[set], before }
        await recordAudit(tx, { ...event, action: 'key-removed' })
      })
    },
  }
}
