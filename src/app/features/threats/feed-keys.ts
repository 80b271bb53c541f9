/** What a key asks of the feed. */
export type FeedAction = 'next' | 'previous' | 'select' | 'search' | 'leave' | 'help'

export type KeyLine = { keys: readonly string[]; label: string; action: FeedAction | null }

export const FEED_KEYS: readonly KeyLine[] = [
  { keys: ['j', '↓'], label: 'Next threat', action: 'next' },
  { keys: ['k', '↑'], label: 'Previous threat', action: 'previous' },
  { keys: ['Enter'], label: 'Open the threat', action: null },
  { keys: ['x'], label: 'Select or unselect', action: 'select' },
  { keys: ['/'], label: 'Go to Search', action: 'search' },
  { keys: ['Esc'], label: 'Leave a field or a dialog', action: null },
  { keys: ['?'], label: 'Show these keys', action: 'help' },
]

/** On the page of one threat. */
export const THREAT_KEYS: readonly KeyLine[] = [
  { keys: ['j'], label: 'Next threat', action: 'next' },
  { keys: ['k'], label: 'Previous threat', action: 'previous' },
  { keys: ['Esc'], label: 'Back to the threats', action: 'leave' },
  { keys: ['?'], label: 'Show these keys', action: 'help' },
]

const ACTION_BY_KEY = new Map(
  FEED_KEYS.flatMap(({ keys, action }) => (action ? keys.map((key) => [key, action] as const) : [])),
)
const ACTION_BY_ARROW = new Map([
  ['ArrowDown', 'next'],
  ['ArrowUp', 'previous'],
] as const)

/** A dialog, or the button of a popover: Escape closes these first. */
const OPEN = 'dialog[open], [aria-controls][aria-expanded=true]'

/** Null for a key that belongs to something else: a field, a dialog, the browser, or the page's own scrolling. */
export function feedActionOf(event: KeyboardEvent): FeedAction | null {
  const { key, target } = event
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null
  const element = target instanceof Element ? target : null
  if (element?.closest('input:not([type=checkbox]), select, textarea, dialog, [popover]')) return null

  const arrow = [...ACTION_BY_ARROW].find(([name]) => name === key)
  if (arrow) return element?.closest('tbody') ? arrow[1] : null
  if (key === 'Escape') return document.querySelector(OPEN) ? null : 'leave'
  return ACTION_BY_KEY.get(key) ?? null
}
