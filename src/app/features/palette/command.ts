import * as z from 'zod/mini'
import type { IconName } from '#app/ui/icon.tsx'
import type { Theme } from '#app/ui/preferences.ts'

/** What a command does: lead somewhere, or change how the app looks. */
export type Act = { href: string } | { theme: Theme } | { shows: 'keys' }

export type Command = {
  id: string
  label: string
  icon: IconName
  act: Act
  /** A remark beside the label. */
  detail?: string | undefined
  /** Other words that it is found by. */
  words?: string | undefined
  /** Its label is a third party's. */
  isUntrusted?: boolean | undefined
}

export type CommandGroup = { title: string; commands: readonly Command[] }

const RECENT_KEY = 'lantern.recent'
const RECENT_MAX_COUNT = 6

const recentSchema = z.array(
  z.object({
    label: z.string(),
    href: z.string().check(z.startsWith('/')),
    isUntrusted: z.optional(z.boolean()),
  }),
)

/** Where this tab was led lately, the latest first. It ends with the tab. */
export function readRecent(): Command[] {
  try {
    return recentSchema.parse(JSON.parse(sessionStorage.getItem(RECENT_KEY) ?? '[]')).map((place) => ({
      id: `recent ${place.href}`,
      label: place.label,
      icon: 'clock',
      act: { href: place.href },
      isUntrusted: place.isUntrusted,
    }))
  } catch {
    return []
  }
}

export function rememberRecent({ label, act, isUntrusted }: Command): void {
  if (!('href' in act)) return
  const { href } = act
  const others = readRecent().flatMap((recent) =>
    'href' in recent.act && recent.act.href !== href
      ? [{ label: recent.label, href: recent.act.href, isUntrusted: recent.isUntrusted }]
      : [],
  )
  try {
    const places = [{ label, href, isUntrusted }, ...others].slice(0, RECENT_MAX_COUNT)
    sessionStorage.setItem(RECENT_KEY, JSON.stringify(places))
  } catch {
    // A browser that forbids storage remembers nothing.
  }
}
