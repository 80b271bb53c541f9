import type { BffRoute } from '#bff/http/route.ts'
import { createAlertAnswers } from './alert-answers.ts'
import { alertChangeRoutes } from './alert-change-routes.ts'
import type { AlertContext } from './alert-context.ts'
import { alertRoutes } from './alert-routes.ts'
import { createProfileChanges } from './profile-changes.ts'
import { createProfileList, type ReportedProfiles, readInBackground } from './profile-list.ts'

/** The routes of alert profiles, on one list of them. */
export function createAlertRoutes(given: Omit<AlertContext, 'profiles'>): {
  routes: BffRoute[]
  /** The profiles of the vendor's account as they were last read, free. Where they never were, they are read in the background: null. */
  peekProfiles(): Promise<ReportedProfiles['profiles'] | null>
} {
  const { log } = given
  const profiles = createProfileList(given)
  const context = { ...given, profiles }
  const changes = createProfileChanges(context)
  const answers = createAlertAnswers({ ...context, readSummaries: changes.summaries })
  const routes = alertRoutes({ answers, context })
  return {
    routes: [...routes, ...alertChangeRoutes(changes)],
    async peekProfiles() {
      const known = await profiles.peek()
      if (!known) readInBackground(profiles).catch((error: unknown) => log.error('profiles-not-read', error))
      return known?.value.profiles ?? null
    },
  }
}
