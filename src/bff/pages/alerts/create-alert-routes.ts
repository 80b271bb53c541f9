import type { Log } from '#bff/http/log.ts'
import type { BffRoute } from '#bff/http/route.ts'
import type { ReadSearch } from '#bff/store/read-search.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import type { Upstream } from '#bff/upstream/client/upstream-client.ts'
import type { ReadThreat } from '#bff/upstream/details/read-threats.ts'
import { perGeneration } from '#bff/upstream/generation.ts'
import type { SeenCategories } from '#bff/upstream/seen-categories.ts'
import type { Database } from '#database/database.ts'
import { createAlertAnswers } from './alert-answers.ts'
import { alertChangeRoutes } from './alert-change-routes.ts'
import { alertRoutes } from './alert-routes.ts'
import { type CreationPatience, createCreateAlert } from './create-alert.ts'
import { createCreateAudited } from './create-audited.ts'
import { createFindTriggers, type FindTriggers } from './find-triggers.ts'
import { createProfileChanges } from './profile-changes.ts'
import { createProfileList, type ProfileList, readInBackground } from './profile-list.ts'
import { createFindMatches } from './profile-matches.ts'

export type AlertDependencies = {
  upstream: Pick<Upstream, 'call' | 'ask' | 'generation' | 'offers' | 'data'>
  store: Pick<ThreatStore, 'storedRange' | 'indexRows' | 'select' | 'matchFacts'>
  readSearch: ReadSearch
  readThreat: ReadThreat
  /** Rises when the keys or their plan change; the client's own rises with the data as well. */
  keyGeneration: () => number
  categories: () => Pick<SeenCategories, 'addFromMessage'>
  database: Database
  clock: Clock
  log: Log
  /** Names the vendor's address and the keys as they are now: another account's profiles are never shown. */
  source: () => string
  /** Keys the hashes of drafts, and seals destinations in the ledger. */
  secret: string
  secretBefore?: string | undefined
  /** Of NOTIFY_HOSTS: what webhooks of every kind may lead to. */
  webhookHosts: readonly string[]
  /** Whether a mail server is set up. */
  hasEmail: boolean
  /** Where browsers find us. */
  origin: string
  /** A profile of our own service was changed or deleted. */
  onChanged: () => Promise<void>
  patience?: CreationPatience
}

/** The routes of alert profiles, and what finds their new matches, on one list of them. */
export function createAlertRoutes({ store, readThreat, keyGeneration, ...rest }: AlertDependencies): {
  routes: BffRoute[]
  findTriggers: FindTriggers
  profiles: Pick<ProfileList, 'peek'>
  /** Reads the vendor's profiles in the background where none are known. */
  learnProfiles(): Promise<void>
} {
  const { database, clock, log, webhookHosts } = rest
  const profiles = createProfileList(rest)
  const findMatches = createFindMatches(store)
  const changes = createProfileChanges({ ...rest, profiles })
  const readSummaries = changes.summaries
  const answers = { ...rest, readSummaries, profiles, store, findMatches, readThreat }
  const routes = alertRoutes({
    answers: createAlertAnswers(answers),
    createAlert: createCreateAudited({
      createAlert: createCreateAlert({ ...rest, profiles }),
      database,
      log,
      webhookHosts,
    }),
  })
  // What has matched with one key is no measure of what is new with another.
  const findTriggers = perGeneration(keyGeneration, () =>
    createFindTriggers({ profiles, findMatches, clock, generation: rest.upstream.generation }),
  )
  return {
    routes: [...routes, ...alertChangeRoutes(changes)],
    findTriggers: () => findTriggers()(),
    profiles,
    async learnProfiles() {
      if (!(await profiles.peek())) await readInBackground(profiles)
    },
  }
}
