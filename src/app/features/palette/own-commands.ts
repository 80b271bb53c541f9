import { readPageActs } from '#app/ui/page-acts.ts'
import { THEMES } from '#app/ui/preferences.ts'
import type { Role } from '#contract/bff/session.ts'
import { COUNTRY_CODES, countryName, findCountryCode } from '#contract/country.ts'
import type { Command } from './command.ts'

const PAGES: readonly (readonly [label: string, href: string, words?: string])[] = [
  ['Overview', '/', 'home start dashboard'],
  ['Threats', '/threats', 'feed list search'],
  ['Shift', '/shift', 'handover since last visit news closed comments'],
  ['Actors', '/actors', 'groups'],
  ['Countries', '/countries', 'map world'],
  ['Alerts', '/alerts', 'profiles'],
  ['New alert profile', '/alerts/new', 'create build keywords'],
  ['Metrics', '/metrics', 'report numbers print'],
  ['Settings', '/settings', 'profile password time zone name'],
]
const ANALYST_PAGES: typeof PAGES = [
  ['Deliveries', '/alerts/deliveries', 'alerts messages ledger sent failed'],
]
const ADMIN_PAGES: typeof PAGES = [
  ['Settings: API access', '/settings?tab=api', 'key vendor plan budget'],
  ['Settings: Users', '/settings?tab=users', 'roles invite people'],
  ['Settings: Cases', '/settings?tab=cases', 'due times overdue hours severity'],
  ['Settings: Audit log', '/settings?tab=audit', 'history changes who'],
  ['API calls', '/settings/calls', 'ledger budget'],
]
const THEME_NAMES = { system: 'the system’s', light: 'light', dark: 'dark' } as const
const THEME_ICONS = { system: 'monitor', light: 'sun', dark: 'moon' } as const

export function pageCommands(role: Role): Command[] {
  const ofAnalyst = role === 'viewer' ? [] : ANALYST_PAGES
  return [...PAGES, ...ofAnalyst, ...(role === 'admin' ? ADMIN_PAGES : [])].map(([label, href, words]) => ({
    id: `page ${href}`,
    label,
    icon: 'chevron-right',
    act: { href },
    words,
  }))
}

/** Commands for what is open or selected on the page behind the palette. */
export function pageActCommands(): Command[] {
  return readPageActs().map(({ label, subject, icon, words, run }) => ({
    id: `act ${label} ${subject ?? ''}`,
    label,
    subject,
    icon,
    act: { run },
    words,
  }))
}

export function actionCommands(): Command[] {
  return [
    ...THEMES.map(
      (theme): Command => ({
        id: `theme ${theme}`,
        label: `Theme: ${THEME_NAMES[theme]}`,
        icon: THEME_ICONS[theme],
        act: { theme },
        words: 'colour appearance mode',
      }),
    ),
    { id: 'keys', label: 'Keys', icon: 'keyboard', act: { shows: 'keys' }, words: 'shortcuts help' },
  ]
}

export function countryCommands(query: string): Command[] {
  const named = findCountryCode(query)
  return COUNTRY_CODES.map((code) => ({
    id: `country ${code}`,
    label: countryName(code) ?? code,
    icon: 'globe',
    act: { href: `/countries/${code}` },
    words: code === named ? query : code,
    detail: code,
  }))
}
