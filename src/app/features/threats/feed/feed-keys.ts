import { useEffect, useEffectEvent } from 'react'
import type { TriageCommand } from '#app/features/triage/triage-command.ts'
import { usePreferences } from '#app/ui/preferences.ts'

/** Commands that a key runs in the feed or on a threat's page. The key map lists them. */
type FeedAction =
  | TriageCommand
  | 'next'
  | 'previous'
  | 'select'
  | 'selectThrough'
  | 'search'
  | 'leave'
  | 'help'
  | 'undo'

const ACTION_BY_KEY: ReadonlyMap<string, FeedAction> = new Map([
  ['j', 'next'],
  ['k', 'previous'],
  ['x', 'select'],
  ['X', 'selectThrough'],
  ['r', 'read'],
  ['a', 'take'],
  ['A', 'assign'],
  ['s', 'star'],
  ['c', 'close'],
  ['n', 'note'],
  ['z', 'undo'],
  ['/', 'search'],
  ['?', 'help'],
])
const ACTION_BY_ARROW = new Map([
  ['ArrowDown', 'next'],
  ['ArrowUp', 'previous'],
] as const)

/** A dialog, or the button of a popover: Escape closes these first. */
const OPEN = 'dialog[open], [aria-controls][aria-expanded=true]'

/** Null for a key that belongs to something else: a field, a dialog, the browser, or the page's own scrolling. */
function feedActionOf(event: KeyboardEvent): FeedAction | null {
  const { key, target } = event
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null
  const element = target instanceof Element ? target : null
  if (element?.closest('input:not([type=checkbox]), select, textarea, dialog, [popover]')) return null

  const arrow = [...ACTION_BY_ARROW].find(([name]) => name === key)
  if (arrow) return element?.closest('tbody') ? arrow[1] : null
  if (key === 'Escape') return document.querySelector(OPEN) ? null : 'leave'
  return ACTION_BY_KEY.get(key) ?? null
}

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
