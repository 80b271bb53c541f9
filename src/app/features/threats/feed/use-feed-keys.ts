import { useEffect, useEffectEvent } from 'react'
import { usePreferences } from '#app/ui/preferences.ts'
import { type FeedAction, feedActionOf } from './feed-keys.ts'

/** Follows the feed's keys wherever the focus is, but for fields and dialogs. */
export function useFeedKeys(actions: Partial<Record<FeedAction, () => void>>): void {
  const { hasLetterKeys } = usePreferences()
  const follow = useEffectEvent((event: KeyboardEvent) => {
    const isLetter = event.key.length === 1
    const action = isLetter && !hasLetterKeys ? null : feedActionOf(event)
    const act = action && actions[action]
    if (!act) return
    event.preventDefault()
    act()
  })

  useEffect(() => {
    const listen = (event: KeyboardEvent) => follow(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
