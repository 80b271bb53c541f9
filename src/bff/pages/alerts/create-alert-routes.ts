import type { BffRoute } from '#bff/http/route.ts'
import type { AlertContext } from './alert-context.ts'
import { alertRoutes } from './alert-routes.ts'
import { createProfileList, type ReportedProfiles, readInBackground } from './profile-list.ts'
import { unsubscribeRoutes } from './unsubscribe-routes.ts'

/** The routes of alert profiles, on one list of them. */
export function createAlertRoutes(given: Omit<AlertContext, 'profiles'>): {
  routes: BffRoute[]
  /** The profiles of the vendor's account as they were last read, free. Where they never were, they are read in the background: null. */
  peekProfiles(): Promise<ReportedProfiles['profiles'] | null>
} {
  const profiles = createProfileList(given)
  const context = { ...given, profiles }
  return {
    routes: [...alertRoutes(context), ...unsubscribeRoutes(context)],
    async peekProfiles() {
      const known = await profiles.peek()
      if (!known)
        readInBackground(profiles).catch((error: unknown) => given.log.error('profiles-not-read', error))
      return known?.value.profiles ?? null
    },
  }
}
