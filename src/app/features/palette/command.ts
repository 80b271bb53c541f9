import * as z from 'zod/mini'
import { createBrowserStore } from '#app/ui/browser-store.ts'
import type { IconName } from '#app/ui/icon.tsx'
import type { Theme } from '#app/ui/preferences.ts'

/** A command opens a page, changes how the app looks, or runs an action of the page. */
export type Act = { href: string } | { theme: Theme } | { shows: 'keys' } | { run(): void }

export type Command = {
  id: string
  label: string
  /** Name of the thing that the command acts on. It is third-party text, shown but not searched. */
  subject?: string | undefined
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

const RECENT_MAX_COUNT = 6

const recentStore = createBrowserStore({
  key: 'lantern.recent',
  schema: z.array(
    z.object({
      label: z.string(),
      href: z.string().check(z.regex(/^\//)),
      isUntrusted: z.optional(z.boolean()),
    }),
  ),
  fallback: [],
  lifetime: 'session',
})

/** Pages that this tab opened lately, latest first. The list ends with the tab. */
export function readRecent(): Command[] {
  return recentStore.read().map(({ label, href, isUntrusted }) => ({
    id: `recent ${href}`,
    label,
    icon: 'clock',
    act: { href },
    isUntrusted,
  }))
}

export function rememberRecent({ label, act, isUntrusted }: Command): void {
  if (!('href' in act)) return
  const { href } = act
  const others = recentStore.read().filter((recent) => recent.href !== href)
  recentStore.write([{ label, href, isUntrusted }, ...others].slice(0, RECENT_MAX_COUNT))
}
