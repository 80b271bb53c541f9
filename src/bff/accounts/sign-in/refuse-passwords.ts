import { ProblemError } from '#bff/http/problem-error.ts'
import type { BffRoute } from '#bff/http/route.ts'
import type { Endpoint } from '#contract/bff/endpoints.ts'

/** All that takes or sets a password, or makes a link that does. */
const PASSWORD_ROUTES: ReadonlySet<string> = new Set<Endpoint>([
  'POST /bff/sign-in',
  'POST /bff/sign-in/password-link',
  'PUT /bff/profile/password',
  'POST /bff/users/:id/link',
])

/** Returns the routes for when nobody signs in by password: each refuses with the reason before it reads the body. */
export function refusePasswords(routes: readonly BffRoute[]): BffRoute[] {
  return routes.map((route) =>
    PASSWORD_ROUTES.has(`${route.method} ${route.path}`)
      ? { ...route, body: undefined, answer: () => Promise.reject(passwordsOff()) }
      : route,
  )
}

function passwordsOff(): ProblemError {
  return new ProblemError({
    code: 'not_found',
    title: 'There are no passwords here',
    detail: 'Everybody signs in by single sign-on: whoever runs this Lantern has switched passwords off.',
  })
}
