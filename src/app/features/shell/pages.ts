/** The pages of the navigation, in its order. */
export const PAGES = [
  { to: '/', label: 'Overview' },
  { to: '/threats', label: 'Threats' },
  { to: '/actors', label: 'Actors' },
  { to: '/countries', label: 'Countries' },
  { to: '/alerts', label: 'Alerts' },
  { to: '/metrics', label: 'Metrics' },
] as const
