import type { PageState } from './page-state.ts'
import { ALERT_STATES } from './states/alert-states.ts'
import { DELIVERY_STATES } from './states/delivery-states.ts'
import { FEED_STATES } from './states/feed-states.ts'
import { FIGURE_STATES } from './states/figure-states.ts'
import { HISTORY_STATES } from './states/history-states.ts'
import { LIST_STATES } from './states/list-states.ts'
import { PLACE_STATES } from './states/place-states.ts'
import { SETTINGS_STATES } from './states/settings-states.ts'
import { SHELL_STATES } from './states/shell-states.ts'
import { SHIFT_STATES } from './states/shift-states.ts'
import { THREAT_STATES } from './states/threat-states.ts'

export const PAGE_STATES: readonly PageState[] = [
  ...FIGURE_STATES,
  ...FEED_STATES,
  ...HISTORY_STATES,
  ...THREAT_STATES,
  ...PLACE_STATES,
  ...ALERT_STATES,
  ...DELIVERY_STATES,
  ...LIST_STATES,
  ...SETTINGS_STATES,
  ...SHELL_STATES,
  ...SHIFT_STATES,
]

/** How an address names it. */
export function slugOf({ page, state }: PageState): string {
  return `${page} ${state}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}
