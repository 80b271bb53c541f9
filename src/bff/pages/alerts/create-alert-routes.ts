import type { Log } from '#bff/http/log.ts'
import type { BffRoute } from '#bff/http/route.ts'
import type { Clock } from '#bff/time/clock.ts'
import type { Upstream } from '#bff/vendor/client/upstream-client.ts'
import type { ReadThreat } from '#bff/vendor/details/read-threats.ts'
import { perGeneration } from '#bff/vendor/generation.ts'
import type { SeenCategories } from '#bff/vendor/seen-categories.ts'
import type { Window } from '#bff/window/window.ts'
import type { Database } from '#database/database.ts'
import { createAlertAnswers } from './alert-answers.ts'
import { alertRoutes } from './alert-routes.ts'
import { type CreationPatience, createCreateAlert } from './create-alert.ts'
import { createCreateAudited } from './create-audited.ts'
import { createFindTriggers, type FindTriggers } from './find-triggers.ts'
import { createProfileList } from './profile-list.ts'

export type AlertDependencies = {
  upstream: Pick<Upstream, 'call' | 'generation'>
  window: Pick<Window, 'storedRange' | 'indexRows'>
  readThreat: ReadThreat
  categories: () => Pick<SeenCategories, 'addFromMessage'>
  database: Database
  clock: Clock
  log: Log
  /** Names the vendor's address and the keys as they are now: another account's profiles are never shown. */
  source: () => string
  /** Keys the hashes of drafts. */
  secret: string
  patience?: CreationPatience
}

/** The routes of alert profiles, and what finds their new matches, on one list of them. */
export function createAlertRoutes({ window, readThreat, ...rest }: AlertDependencies): {
  routes: BffRoute[]
  findTriggers: FindTriggers
} {
  const { database, clock, log } = rest
  const profiles = createProfileList(rest)
  const routes = alertRoutes({
    answers: createAlertAnswers({ profiles, window, readThreat, database, clock }),
    createAlert: createCreateAudited({
      createAlert: createCreateAlert({ ...rest, profiles }),
      database,
      log,
    }),
  })
  // What has matched with one key is no measure of what is new with another.
  const findTriggers = perGeneration(rest.upstream.generation, () =>
    createFindTriggers({ profiles, window, clock }),
  )
  return { routes, findTriggers: () => findTriggers()() }
}
