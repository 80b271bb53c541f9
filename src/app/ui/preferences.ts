import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { timeZoneNameSchema } from '#contract/time-zone.ts'

export const THEMES = ['system', 'light', 'dark'] as const

const preferencesSchema = z.object({
  theme: z.catch(z.enum(THEMES), 'system'),
  timeZone: z.catch(timeZoneNameSchema, 'UTC'),
  /** Single letters as shortcuts: off for those whose speech or hands type them unmeant (WCAG 2.1.4). */
  hasLetterKeys: z.catch(z.boolean(), true),
  /** What the reader's organisation is: alpha-2 codes, and industries as the records spell them. */
  countries: z.catch(z.array(z.string()), []),
  industries: z.catch(z.array(z.string()), []),
})
/** What a reader has chosen, as this browser remembers it. */
export type Preferences = z.infer<typeof preferencesSchema>
export type Theme = Preferences['theme']

// `public/theme.js` reads the same key before the first paint.
const STORAGE_KEY = 'lantern.preferences'
const CHANGED = 'lantern:preferences'

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, readPreferences)
}

export function useTimeZone(): string {
  return usePreferences().timeZone
}

// Every time on a page reads them: parsed once for each text.
let latest = { text: '', preferences: parsePreferences('') }

/** For code outside components, such as loaders. */
export function readPreferences(): Preferences {
  const text = readText()
  if (text !== latest.text) latest = { text, preferences: parsePreferences(text) }
  return latest.preferences
}

export function changePreferences(change: Partial<Preferences>): void {
  const preferences = { ...readPreferences(), ...change }
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(preferences))
  } catch {
    // A browser that forbids storage keeps its defaults.
  }
  applyTheme(preferences.theme)
  dispatchEvent(new Event(CHANGED))
}

function subscribe(onChange: () => void): () => void {
  const followOtherTab = () => {
    applyTheme(readPreferences().theme)
    onChange()
  }
  addEventListener(CHANGED, onChange)
  addEventListener('storage', followOtherTab)
  return () => {
    removeEventListener(CHANGED, onChange)
    removeEventListener('storage', followOtherTab)
  }
}

function readText(): string {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? ''
  } catch {
    return ''
  }
}

function parsePreferences(text: string): Preferences {
  try {
    return preferencesSchema.parse(JSON.parse(text))
  } catch {
    return preferencesSchema.parse({})
  }
}

function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
