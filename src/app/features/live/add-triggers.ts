import type { ProfileTrigger } from '#contract/bff/live.ts'

/** What nobody has read yet, and what came since: each profile once, by its latest name. */
export function addTriggers(
  unread: readonly ProfileTrigger[],
  heard: readonly ProfileTrigger[],
): ProfileTrigger[] {
  const byId = new Map(unread.map((trigger) => [trigger.id, trigger]))
  for (const trigger of heard) {
    const newMatches = (byId.get(trigger.id)?.newMatches ?? 0) + trigger.newMatches
    byId.set(trigger.id, { ...trigger, newMatches })
  }
  return [...byId.values()]
}
