import type { ReactNode } from 'react'
import type { Threat } from '#contract/bff/threat.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'

export type FeedCommand = 'read' | 'star' | 'dismiss' | 'note'

type FeedRow = {
  threat: Threat
  state: TriageState | undefined
  isSelected: boolean
  hasCommands: boolean
  onSelect(): void
}

/** Triage as the page hands it to the feed. */
export type FeedTriage = {
  /** Others only see what has been done: to their commands the page answers that. */
  isAllowed: boolean
  /** The buttons of a row. */
  renderTools(id: string, state: TriageState | undefined): ReactNode
  /** The same as a menu, for the row whose button opens the popover of this id; none yet is undefined. */
  renderMenu(menuId: string, id: string | undefined, state: TriageState | undefined): ReactNode
  /** The buttons for all that is selected. */
  renderBulkTools(ids: readonly string[]): ReactNode
  /** Offers the palette what the keys do: with the row that they are at, and where none is selected, the commands. */
  renderActs(row: FeedRow): ReactNode
  onCommand(command: FeedCommand, ids: readonly string[]): void
  onUndo(): void
}
