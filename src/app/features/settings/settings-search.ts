export const SETTINGS_TABS = ['profile', 'api', 'users', 'cases', 'audit'] as const
export type SettingsTab = (typeof SETTINGS_TABS)[number]

export type SettingsSearch = {
  tab?: SettingsTab | undefined
  /** Filter of the audit log. */
  who?: string | undefined
  action?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** By hand, not by schema: it is part of every first visit. What cannot be read is left out. */
export function readSettingsSearch(search: Record<string, unknown>): SettingsSearch {
  return {
    tab: SETTINGS_TABS.find((tab) => tab === search.tab),
    who: readText(search.who),
    action: readText(search.action),
    from: readDay(search.from),
    to: readDay(search.to),
  }
}

function readText(value: unknown): string | undefined {
  return (typeof value === 'string' && value.trim().slice(0, 254)) || undefined
}

function readDay(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined
}
