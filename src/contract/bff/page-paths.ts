/** The paths of the app's pages, in its router's grammar: a segment that begins with `$` is any text. */
export const PAGE_PATHS = [
  '/',
  '/actors',
  '/actors/$name',
  '/alerts',
  '/alerts/deliveries',
  '/alerts/new',
  '/countries',
  '/countries/$code',
  '/metrics',
  '/settings',
  '/settings/calls',
  '/sign-in/second-factor',
  '/threats',
  '/threats/$id',
] as const
