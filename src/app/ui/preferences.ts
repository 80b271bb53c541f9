import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { timeZoneNameSchema } from '#contract/time-zone.ts'
import { createBrowserStore } from './browser-store.ts'

export const THEMES = ['system', 'light', 'dark'] as const

const preferencesSchema = z.object({
  theme: z.catch(z.enum(THEMES), 'system'),
  timeZone: z.catch(timeZoneNameSchema, 'UTC'),
  /** Single letters as shortcuts: off for those whose speech or hands type them unmeant (WCAG 2.1.4). */
  hasLetterKeys: z.catch(z.boolean(), true),
  /** The user's organisation: alpha-2 country codes, and industries as the records spell them. */
  countries: z.catch(z.array(z.string()), []),
  industries: z.catch(z.array(z.string()), []),
})
/** The user's choices, as this browser stores them. */
export type Preferences = z.infer<typeof preferencesSchema>
export type Theme = Preferences['theme']

const store = createBrowserStore({
  // `public/theme.js` reads the same key before the first paint.
  key: 'lantern.preferences',
  schema: preferencesSchema,
  fallback: preferencesSchema.parse({}),
})

/** For code outside components, such as loaders. */
export const readPreferences = store.read

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, readPreferences)
}

export function useTimeZone(): string {
  return usePreferences().timeZone
}

export function changePreferences(change: Partial<Preferences>): void {
  const preferences = { ...readPreferences(), ...change }
  store.write(preferences)
  applyTheme(preferences.theme)
}

function subscribe(onChange: () => void): () => void {
  return store.subscribe(() => {
    // Another tab may have changed it.
    applyTheme(readPreferences().theme)
    onChange()
  })
}

function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
