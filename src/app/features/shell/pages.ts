/** The pages of the navigation, in its order. */
export const PAGES = [{ to: '/threats', label: 'Threats' }] as const
