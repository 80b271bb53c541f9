import type { Log } from '#bff/http/log.ts'
import type { BffRoute } from '#bff/http/route.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import type { Upstream } from '#bff/upstream/client/upstream-client.ts'
import type { ReadThreat } from '#bff/upstream/details/read-threats.ts'
import type { SeenCategories } from '#bff/upstream/seen-categories.ts'
import type { Database } from '#database/database.ts'
import { createAlertAnswers } from './alert-answers.ts'
import { alertChangeRoutes } from './alert-change-routes.ts'
import { alertRoutes } from './alert-routes.ts'
import { type CreationPatience, createCreateAlert } from './create-alert.ts'
import { createCreateAudited } from './create-audited.ts'
import { createProfileChanges } from './profile-changes.ts'
import { createProfileList, type ReportedProfiles, readInBackground } from './profile-list.ts'

export type AlertDependencies = {
  upstream: Pick<Upstream, 'call' | 'ask' | 'generation' | 'offers' | 'data'>
  store: Pick<ThreatStore, 'storedRange' | 'select' | 'matchFacts'>
  readThreat: ReadThreat
  categories: () => Pick<SeenCategories, 'addFromMessage'>
  database: Database
  clock: Clock
  log: Log
  /** Names the vendor's address and the keys as they are now: another account's profiles are never shown. */
  source: () => string
  /** Keys the hashes of drafts, and seals destinations in the ledger. */
  secret: string
  secretBefore?: string | undefined
  /** The value of NOTIFY_HOSTS: webhooks of every kind may lead to these. */
  webhookHosts: readonly string[]
  /** A mail server is set up. */
  hasEmail: boolean
  /** Browsers find Lantern here. */
  origin: string
  /** A profile of our own service was changed or deleted. */
  onChanged: () => Promise<void>
  patience?: CreationPatience
}

/** The routes of alert profiles, on one list of them. */
export function createAlertRoutes({ store, readThreat, ...rest }: AlertDependencies): {
  routes: BffRoute[]
  /** The profiles of the vendor's account as they were last read, free. Where they never were, they are read in the background: null. */
  peekProfiles(): Promise<ReportedProfiles['profiles'] | null>
} {
  const { database, log, webhookHosts } = rest
  const profiles = createProfileList(rest)
  const changes = createProfileChanges({ ...rest, profiles })
  const readSummaries = changes.summaries
  const answers = { ...rest, readSummaries, profiles, store, readThreat }
  const routes = alertRoutes({
    answers: createAlertAnswers(answers),
    createAlert: createCreateAudited({
      createAlert: createCreateAlert({ ...rest, profiles }),
      database,
      log,
      webhookHosts,
    }),
  })
  return {
    routes: [...routes, ...alertChangeRoutes(changes)],
    async peekProfiles() {
      const known = await profiles.peek()
      if (!known) readInBackground(profiles).catch((error: unknown) => log.error('profiles-not-read', error))
      return known?.value.profiles ?? null
    },
  }
}
